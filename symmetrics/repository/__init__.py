"""What stands in files: certificates and theories are built from the library, read and verified again."""
