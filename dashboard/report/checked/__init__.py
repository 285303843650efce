"""One model held against every second measurement there is of what it was tested on."""
