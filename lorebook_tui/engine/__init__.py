"""One turn, and a replay of many. Pure: no file, clock, randomness or network; state goes in and comes out."""
