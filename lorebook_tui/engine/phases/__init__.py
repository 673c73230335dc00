"""The seven phases by name: functions that know no dialect. A dialect composes them in its own order."""
