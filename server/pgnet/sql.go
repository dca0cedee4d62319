package pgnet

// lostAfter is how long after its timeout a request without a response counts as lost.
const lostAfter = "30 s"

const (
	// isStandIn reports whether pg_net's stand-in is in the database.
	isStandIn = `select to_regclass('net._in_flight') is not null`

	// claimRequests takes up to $1 requests with up to $2 bytes of bodies, at least one. They leave
	// the queue before they are sent, so that no request is sent twice.
	claimRequests = `with candidates as (
			select q.id, coalesce(sum(length(q.body)) over (order by q.id), 0) as bytes, row_number() over (order by q.id) as place
			from (select id, body from net.http_request_queue order by id limit $1 for update skip locked) q
		), claimed as (
			delete from net.http_request_queue q using candidates c
			where q.id = c.id and (c.bytes <= $2 or c.place = 1)
			returning q.*
		), marked as (
			insert into net._in_flight (id, expires_at)
			select id, now() + make_interval(secs => timeout_milliseconds / 1000.0) + interval '` + lostAfter + `' from claimed
		)
		select id, method::text, url, array(select h.key from jsonb_each_text(headers) h where h.value is not null),
			array(select h.value from jsonb_each_text(headers) h where h.value is not null), body, timeout_milliseconds
		from claimed order by id`

	storeResponse = `with answered as (delete from net._in_flight where id = $1 returning id)
		insert into net._http_response (id, status_code, content_type, headers, content, timed_out, error_msg)
		select id, $2, $3, $4, $5, $6, $7 from answered`

	// storeLost stores an error as the response of requests whose server has ended.
	storeLost = `with lost as (delete from net._in_flight where expires_at < now() returning id)
		insert into net._http_response (id, timed_out, error_msg)
		select id, false, 'the server ended before the response arrived' from lost`

	// renewPartitions drops the partitions of responses that are older than $1, and creates those of the next hours or days.
	renewPartitions = `select net._renew_partitions($1)`
)
