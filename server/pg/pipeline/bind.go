package pipeline

import (
	"encoding/binary"
	"errors"

	"github.com/jackc/pgx/v5/pgproto3"
)

const (
	// largeParameters is how many bytes the parameters of a statement may have to be
	// copied into the pipeline's buffer. Larger ones are written from where they are.
	largeParameters = 1 << 20
	// writeStep is how many bytes of a large parameter are written at a time.
	writeStep = 1 << 20
)

// ErrTooLarge is the error for parameters that do not fit a message of PostgreSQL's
// protocol.
var ErrTooLarge = errors.New("the parameters are larger than 1 GB")

// bind sends the parameters of a statement.
func (p *Pipeline) bind(name string, st Statement) {
	size := 0
	for _, arg := range st.Args {
		size += len(arg)
	}
	if size < largeParameters {
		p.frontend.SendBind(&pgproto3.Bind{PreparedStatement: name, ParameterFormatCodes: formatCodes(st), Parameters: st.Args})
		return
	}
	if p.sendErr == nil {
		p.sendErr = p.bindLarge(name, st, size)
	}
}

// bindLarge writes a Bind message to the connection itself, without a copy of the
// parameters. What precedes it in the pipeline is written first; PostgreSQL's
// answers to that are short enough to fit the connection's buffers.
func (p *Pipeline) bindLarge(name string, st Statement, size int) error {
	// Source: PostgreSQL's protocol, "Message Formats", Bind; its own limit is
	// MaxAllocSize, 1 GB.
	formats := formatCodes(st)
	total := 4 + 1 + len(name) + 1 + 2 + 2*len(formats) + 2 + 4*len(st.Args) + size + 2
	if total >= 1<<30 {
		return ErrTooLarge
	}
	if err := p.frontend.Flush(); err != nil {
		return err
	}
	p.frontend.Send(&p.cache.outbox)
	out := append([]byte{'B'}, binary.BigEndian.AppendUint32(nil, uint32(total))...)
	out = append(append(append(out, 0), name...), 0)
	out = binary.BigEndian.AppendUint16(out, uint16(len(formats)))
	for _, code := range formats {
		out = binary.BigEndian.AppendUint16(out, uint16(code))
	}
	out = binary.BigEndian.AppendUint16(out, uint16(len(st.Args)))
	conn := p.raw.Conn()
	for _, arg := range st.Args {
		if arg == nil {
			out = binary.BigEndian.AppendUint32(out, 1<<32-1)
			continue
		}
		if out = binary.BigEndian.AppendUint32(out, uint32(len(arg))); len(arg) < largeParameters/16 {
			out = append(out, arg...)
			continue
		}
		if _, err := conn.Write(out); err != nil {
			return err
		}
		out = out[:0]
		for at := 0; at < len(arg); at += writeStep {
			part := arg[at:min(at+writeStep, len(arg))]
			if _, err := conn.Write(part); err != nil {
				return err
			}
			if st.Sent != nil {
				st.Sent(part)
			}
		}
	}
	_, err := conn.Write(binary.BigEndian.AppendUint16(out, 0)) // results in text form
	return err
}

// formatCodes returns the format of each parameter, or nil where all are text.
func formatCodes(st Statement) []int16 {
	if len(st.Binary) == 0 {
		return nil
	}
	codes := make([]int16, len(st.Args))
	for _, number := range st.Binary {
		codes[number] = pgproto3.BinaryFormat
	}
	return codes
}

// giveUp closes a connection on which part of a message may have been sent.
func (p *Pipeline) giveUp(cause error) error {
	_ = p.raw.Conn().Close()
	// pgx notices that the connection is broken only if it expects a result.
	p.line.SendPipelineSync()
	p.lost = errors.Join(p.line.Flush(), p.line.Close(), ErrUnfinished)
	return p.Translate(cause)
}
