module fencingtokens/fencing/live/systems

go 1.26.0

require fencingtokens v0.0.0

replace fencingtokens => ../../..
