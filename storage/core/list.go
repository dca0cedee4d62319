package core

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"strings"

	"plaza/storage/storageerr"
)

// Search describes a listing of a folder.
type Search struct {
	Prefix        string // the folder, with or without its slash
	Search        string // prefix of names in it, case-insensitive
	Limit, Offset int64  // 0: 100, from the start
	Column        string // name, updated_at, created_at, last_accessed_at; empty: name
	Descending    bool
}

const searchObjects = `select coalesce(json_agg(json_build_object('name', o.name, 'id', o.id, ` + objectTimes + `, 'metadata', o.metadata)), '[]')
	from storage.search($1, $2, $3::int, 1, $4::int, $5, $6, $7) o`

// defaultSearch is the default number of rows.
const defaultSearch = 100

// Search returns the files and folders of a folder as JSON; folders have no id.
func (s *Service) Search(ctx context.Context, call Call, bucket string, l Search) (found json.RawMessage, err error) {
	if err := CheckBucketName(bucket); err != nil {
		return nil, err
	}
	if l.Prefix != "" && !strings.HasSuffix(l.Prefix, "/") {
		l.Prefix += "/"
	}
	if l.Limit == 0 {
		l.Limit = defaultSearch
	}
	if l.Column == "" {
		l.Column = "name"
	}
	args := []any{l.Prefix, bucket, min(l.Limit, 1<<20), min(l.Offset, 1<<30), l.Search, l.Column, direction(l.Descending)}
	err = s.query(ctx, call, searchObjects, args, readJSON(&found))
	return found, storageerr.FromDatabase(err)
}

func direction(descending bool) string {
	if descending {
		return "desc"
	}
	return "asc"
}

// List describes a listing of objects by their full keys, in pages.
type List struct {
	Prefix     string
	Delimiter  string // keys with the same part between prefix and delimiter are one folder; empty: none
	Limit      int64  // at most 1000; 0: 1000
	Cursor     string // of the previous page; it also determines the order
	After      string // the listing starts after this key
	Column     string // name, created_at, updated_at; empty: name
	Descending bool
}

// Entry is an object, or a folder, which has no ID and ends in the delimiter.
type Entry struct {
	Key      string          `json:"key,omitempty"` // the last part of the name
	Name     string          `json:"name"`
	ID       *string         `json:"id"`
	Updated  *string         `json:"updated_at"`
	Created  *string         `json:"created_at"`
	Accessed *string         `json:"last_accessed_at"`
	Metadata json.RawMessage `json:"metadata"`
}

// Page is a page of a listing.
type Page struct {
	More      bool    `json:"hasNext"`
	Cursor    string  `json:"nextCursor,omitempty"`
	CursorKey string  `json:"nextCursorKey,omitempty"`
	Folders   []Entry `json:"folders"`
	Objects   []Entry `json:"objects"`
}

// cursor is the position after which a page begins.
type cursor struct {
	After      string  `json:"k"`
	Moment     *string `json:"m,omitempty"` // of the last row's column
	Column     string  `json:"c,omitempty"`
	Descending bool    `json:"d,omitempty"`
}

// maxPage is the maximum number of rows of a page.
// Source: supabase/storage, and S3.
const maxPage = 1000

const (
	entryJSON = `json_build_object('name', o.name, 'id', o.id, ` + objectTimes + `, 'metadata', o.metadata)`

	// An order by name uses the index; an order by time sorts.
	listByName = `select coalesce(json_agg(` + entryJSON + `), '[]') from (
		select * from storage.objects o where o.bucket_id = $1 and o.name collate "C" >= $2 and o.name collate "C" < $2 || chr(1114111)
			and o.name collate "C" > $3 order by o.name collate "C" limit $4::bigint) o`
	listByNameDown = `select coalesce(json_agg(` + entryJSON + `), '[]') from (
		select * from storage.objects o where o.bucket_id = $1 and o.name collate "C" >= $2 and o.name collate "C" < $2 || chr(1114111)
			and ($3 = '' or o.name collate "C" < $3) order by o.name collate "C" desc limit $4::bigint) o`
	listByTime = `select coalesce(json_agg(` + entryJSON + `), '[]') from (
		select * from (
			select *, date_trunc('milliseconds', case $5::text when 'created_at' then created_at else updated_at end) as moment from storage.objects
			where bucket_id = $1 and name collate "C" >= $2 and name collate "C" < $2 || chr(1114111)) o
		where $3::text = '' or not $6::boolean and (moment, name collate "C") > ($7::timestamptz, $3)
			or $6 and (moment, name collate "C") < ($7::timestamptz, $3)
		order by case when not $6 then moment end, case when $6 then moment end desc,
			case when not $6 then name collate "C" end, case when $6 then name collate "C" end desc
		limit $4::bigint) o`
	listFolders = `select coalesce(json_agg(` + entryJSON + `), '[]')
		from storage.list_objects_with_delimiter($1, $2, $5, $4::int, $3, '', $6) o`
	listFoldersByTime = `select coalesce(json_agg(` + entryJSON + `), '[]')
		from storage.search_v2($2, $1, $4::int, 1, $3, $5, $6, $7) o`
)

// List returns a page of the objects that the caller may see.
//
// Errors: InvalidParameter for an invalid cursor.
func (s *Service) List(ctx context.Context, call Call, bucket string, l List) (Page, error) {
	page := Page{Folders: []Entry{}, Objects: []Entry{}}
	if err := CheckBucketName(bucket); err != nil {
		return page, err
	}
	at, err := l.begin()
	if err != nil {
		return page, err
	}
	limit := int64(maxPage)
	if l.Limit > 0 {
		limit = min(l.Limit, maxPage)
	}
	sql, args := l.statement(bucket, at, limit+1)
	var entries []Entry
	if err := s.query(ctx, call, sql, args, func(row [][]byte) error { return json.Unmarshal(row[0], &entries) }); err != nil {
		return page, storageerr.FromDatabase(err)
	}
	if page.More = int64(len(entries)) > limit; page.More {
		entries = entries[:limit]
		last := entries[limit-1]
		at.After, page.CursorKey = last.Name, last.Name
		switch at.Column {
		case "created_at":
			at.Moment = last.Created
		case "updated_at":
			at.Moment = last.Updated
		}
		page.Cursor = at.encode()
	}
	for _, entry := range entries {
		if entry.ID == nil && !strings.HasSuffix(entry.Name, l.Delimiter) {
			entry.Name += l.Delimiter // upstream's own function returns it without
		}
		if l.Delimiter != "" {
			entry.Key = lastPart(entry.Name, l.Prefix, l.Delimiter)
		}
		if entry.ID == nil {
			page.Folders = append(page.Folders, entry)
		} else {
			page.Objects = append(page.Objects, entry)
		}
	}
	return page, nil
}

// lastPart returns the part of a name after the last delimiter of the prefix.
func lastPart(name, prefix, delimiter string) string {
	at := strings.LastIndex(prefix, delimiter)
	if at >= 0 && len(name) >= at+len(delimiter) {
		name = name[at+len(delimiter):]
	}
	return strings.TrimSuffix(name, delimiter)
}

func (l List) begin() (cursor, error) {
	at := cursor{After: l.After, Column: l.Column, Descending: l.Descending}
	if at.Column == "name" {
		at.Column = ""
	}
	if l.Cursor == "" {
		return at, nil
	}
	at = cursor{}
	text, err := base64.StdEncoding.DecodeString(l.Cursor)
	if err != nil || json.Unmarshal(text, &at) != nil {
		return at, storageerr.ErrBadCursor
	}
	return at, nil
}

func (c cursor) encode() string {
	text, err := json.Marshal(c)
	if err != nil {
		panic("core: a cursor always encodes: " + err.Error())
	}
	return base64.StdEncoding.EncodeToString(text)
}

func (l List) statement(bucket string, at cursor, limit int64) (string, []any) {
	args := []any{bucket, l.Prefix, at.After, limit}
	byTime := at.Column == "created_at" || at.Column == "updated_at"
	switch {
	case byTime && l.Delimiter == "/":
		return listFoldersByTime, append(args, direction(at.Descending), at.Column, at.Moment)
	case l.Delimiter != "":
		return listFolders, append(args, l.Delimiter, direction(at.Descending))
	case byTime:
		return listByTime, append(args, at.Column, at.Descending, at.Moment)
	case at.Descending:
		return listByNameDown, args
	}
	return listByName, args
}
