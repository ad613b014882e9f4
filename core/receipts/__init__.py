"""Files by reference (contract C8): a file lives once in the blob store, sealed; state keeps its reference."""
