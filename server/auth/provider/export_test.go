package provider

// Read maps a profile as a custom provider's.
func (c Custom) Read(profile []byte) (Person, error) {
	told, err := parseDocument(profile)
	if err != nil {
		return Person{}, err
	}
	found := c.read(c.Issuer, told)
	return found, found.check()
}

// ReadAll reads a profile as each provider's that reads ID tokens.
func ReadAll(profile []byte) ([]Person, error) {
	told, err := parseDocument(profile)
	if err != nil {
		return nil, err
	}
	var found []Person
	for _, kind := range kinds {
		if kind.read != nil {
			if who := kind.read("https://issuer.test", told); who.check() == nil {
				found = append(found, who)
			}
		}
	}
	return found, nil
}

// ClaimedIssuer reads whom a token names as its issuer.
func ClaimedIssuer(raw string) (string, error) { return claimedIssuer(raw) }
