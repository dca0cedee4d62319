package geo

import (
	"context"
	"net/netip"

	"github.com/oschwald/maxminddb-golang/v2"
)

// file is a database in MaxMind's format, mapped into memory.
type file struct{ reader *maxminddb.Reader }

func openFile(path string) (*file, error) {
	reader, err := maxminddb.Open(path)
	if err != nil {
		return nil, err
	}
	return &file{reader}, nil
}

func (f *file) find(_ context.Context, address netip.Addr) (Place, error) {
	type named struct {
		Names struct {
			English string `maxminddb:"en"`
		} `maxminddb:"names"`
	}
	var record struct {
		City    named `maxminddb:"city"`
		Country named `maxminddb:"country"`
	}
	if err := f.reader.Lookup(address).Decode(&record); err != nil {
		return Place{}, err
	}
	return Place{City: record.City.Names.English, Country: record.Country.Names.English}, nil
}
