// Package protos sends chunks in protobuf messages.
package protos

import (
	"context"
	"io"

	"google.golang.org/grpc"
)

type reflected interface{ private() }

// Output is what protoc-gen-go makes of a message.
type Output struct {
	Text string
	Raw  []byte
}

func (*Output) ProtoReflect() reflected { return nil }

type Terminal_AttachServer interface {
	Send(*Output) error
	grpc.ServerStream
}

type Client interface {
	Report(ctx context.Context, in *Output) (*Output, error)
}

func attach(r io.Reader, s Terminal_AttachServer) error {
	buf := make([]byte, 512)
	for {
		n, err := r.Read(buf)
		if err != nil {
			return err
		}
		if err := s.Send(&Output{Text: string(buf[:n])}); err != nil { // want `lossyutf8: Terminal_AttachServer.Send gets`
			return err
		}
	}
}

func report(ctx context.Context, r io.Reader, c Client) error {
	buf := make([]byte, 512)
	for {
		n, err := r.Read(buf)
		if err != nil {
			return err
		}
		if _, err := c.Report(ctx, &Output{Text: string(buf[:n])}); err != nil { // want `lossyutf8: `
			return err
		}
	}
}

func nopeRaw(r io.Reader, s Terminal_AttachServer) error {
	buf := make([]byte, 512)
	for {
		n, err := r.Read(buf)
		if err != nil {
			return err
		}
		if err := s.Send(&Output{Raw: buf[:n]}); err != nil {
			return err
		}
	}
}
