package claims

// Forget empties the cache of verified tokens.
func (v *Verifier) Forget() { v.forget() }
