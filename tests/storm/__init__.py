"""A storm of kills over screening and migration, for as long as it is given; counted from outside."""
