"""The hall: the types every room shares."""
