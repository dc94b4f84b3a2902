package reported

import ("testing";"fmt")
func TestX(t *testing.T){ for _,sc:=range All(){ fmt.Println("=====",sc.Name); for i,tr:=range []interface{Verdict2() string}{}{ _=i; _=tr }; a,b,c:=sc.Without(),sc.With(),sc.Cured(); fmt.Println("WITHOUT",a.Err()); fmt.Println(a.Verdict()); fmt.Println("WITH",b.Err());fmt.Println(b.Verdict()); if sc.Cure!=""{fmt.Println("CURED",sc.Cure,c.Err());fmt.Println(c.Verdict())} } }
