package model

// EffectKind sorts effects by what a check has to know of them.
type EffectKind uint8

// The kinds of effects.
const (
	SQLEffect     EffectKind = iota + 1 // changes a database
	FileEffect                          // changes the file system
	CommandEffect                       // runs a command
	HTTPEffect                          // changes something on a server
	ToolEffect                          // runs a tool that a model asked for
)

// Effect is a call that changes something outside the program and cannot be taken
// back.
type Effect struct {
	Func string
	Kind EffectKind
	Args []int // positions whose values decide what is done; a variadic slice counts as one
	Mod  string
	// Text says that the first of Args is itself an instruction, as an SQL statement is.
	Text bool
	// Maybe says that the receiver can be a transaction, or be bound to one, by its type.
	Maybe bool
	Verb  string // what happens to an item, for the message: executed, removed
}

// Effects are the calls with effects that cannot be taken back. Methods of
// transactions are not among them.
var Effects = []Effect{
	{Func: "(database/sql.DB).Exec", Kind: SQLEffect, Args: []int{1, 2}, Text: true, Verb: "executed", Mod: modStd},
	{Func: "(database/sql.DB).ExecContext", Kind: SQLEffect, Args: []int{2, 3}, Text: true, Verb: "executed", Mod: modStd},
	{Func: "(database/sql.Conn).ExecContext", Kind: SQLEffect, Args: []int{2, 3}, Text: true, Verb: "executed", Mod: modStd},
	{Func: "(database/sql.Stmt).Exec", Kind: SQLEffect, Args: []int{1}, Maybe: true, Verb: "executed", Mod: modStd},
	{Func: "(database/sql.Stmt).ExecContext", Kind: SQLEffect, Args: []int{2}, Maybe: true, Verb: "executed", Mod: modStd},

	{Func: "(github.com/jmoiron/sqlx.DB).NamedExec", Kind: SQLEffect, Args: []int{1, 2}, Text: true, Verb: "executed", Mod: modSqlx},
	{Func: "(github.com/jmoiron/sqlx.DB).NamedExecContext", Kind: SQLEffect, Args: []int{2, 3}, Text: true, Verb: "executed", Mod: modSqlx},
	{Func: "(github.com/jmoiron/sqlx.DB).MustExec", Kind: SQLEffect, Args: []int{1, 2}, Text: true, Verb: "executed", Mod: modSqlx},
	{Func: "(github.com/jmoiron/sqlx.DB).MustExecContext", Kind: SQLEffect, Args: []int{2, 3}, Text: true, Verb: "executed", Mod: modSqlx},

	{Func: "(github.com/jackc/pgx/pgxpool.Pool).Exec", Kind: SQLEffect, Args: []int{2, 3}, Text: true, Verb: "executed", Mod: modPgx},
	{Func: "(github.com/jackc/pgx.Conn).Exec", Kind: SQLEffect, Args: []int{2, 3}, Text: true, Verb: "executed", Mod: modPgx},

	{Func: "(gorm.io/gorm.DB).Exec", Kind: SQLEffect, Args: []int{1, 2}, Text: true, Maybe: true, Verb: "executed", Mod: modGorm},
	{Func: "(gorm.io/gorm.DB).Create", Kind: SQLEffect, Args: []int{1}, Maybe: true, Verb: "stored", Mod: modGorm},
	{Func: "(gorm.io/gorm.DB).Delete", Kind: SQLEffect, Args: []int{0, 1, 2}, Maybe: true, Verb: "deleted", Mod: modGorm},
	{Func: "(gorm.io/gorm.DB).Update", Kind: SQLEffect, Args: []int{0, 2}, Maybe: true, Verb: "updated", Mod: modGorm},
	{Func: "(gorm.io/gorm.DB).Updates", Kind: SQLEffect, Args: []int{0, 1}, Maybe: true, Verb: "updated", Mod: modGorm},
	{Func: "(gorm.io/gorm.DB).UpdateColumn", Kind: SQLEffect, Args: []int{0, 2}, Maybe: true, Verb: "updated", Mod: modGorm},
	{Func: "(gorm.io/gorm.DB).UpdateColumns", Kind: SQLEffect, Args: []int{0, 1}, Maybe: true, Verb: "updated", Mod: modGorm},

	{Func: "os.WriteFile", Kind: FileEffect, Args: []int{0, 1}, Verb: "written to disk", Mod: modStd},
	{Func: "io/ioutil.WriteFile", Kind: FileEffect, Args: []int{0, 1}, Verb: "written to disk", Mod: modStd},
	{Func: "os.Create", Kind: FileEffect, Args: []int{0}, Verb: "written to disk", Mod: modStd},
	{Func: "os.Mkdir", Kind: FileEffect, Args: []int{0}, Verb: "made a directory", Mod: modStd},
	{Func: "os.Remove", Kind: FileEffect, Args: []int{0}, Verb: "removed", Mod: modStd},
	{Func: "os.RemoveAll", Kind: FileEffect, Args: []int{0}, Verb: "removed", Mod: modStd},
	{Func: "os.Rename", Kind: FileEffect, Args: []int{0, 1}, Verb: "renamed", Mod: modStd},
	{Func: "os.Symlink", Kind: FileEffect, Args: []int{0, 1}, Verb: "linked", Mod: modStd},
	{Func: "os.Truncate", Kind: FileEffect, Args: []int{0, 1}, Verb: "truncated", Mod: modStd},

	{Func: "(os/exec.Cmd).Run", Kind: CommandEffect, Args: []int{0}, Text: true, Verb: "run", Mod: modStd},
	{Func: "(os/exec.Cmd).Start", Kind: CommandEffect, Args: []int{0}, Text: true, Verb: "run", Mod: modStd},
	{Func: "(os/exec.Cmd).Output", Kind: CommandEffect, Args: []int{0}, Text: true, Verb: "run", Mod: modStd},
	{Func: "(os/exec.Cmd).CombinedOutput", Kind: CommandEffect, Args: []int{0}, Text: true, Verb: "run", Mod: modStd},

	{Func: "net/http.Post", Kind: HTTPEffect, Args: []int{0, 2}, Verb: "sent to a server", Mod: modStd},
	{Func: "net/http.PostForm", Kind: HTTPEffect, Args: []int{0, 1}, Verb: "sent to a server", Mod: modStd},
	{Func: "(net/http.Client).Post", Kind: HTTPEffect, Args: []int{1, 3}, Verb: "sent to a server", Mod: modStd},
	{Func: "(net/http.Client).PostForm", Kind: HTTPEffect, Args: []int{1, 2}, Verb: "sent to a server", Mod: modStd},
	{Func: "(net/http.Client).Do", Kind: HTTPEffect, Args: []int{1}, Verb: "sent to a server", Mod: modStd},

	{Func: "(github.com/mark3labs/mcp-go/client.Client).CallTool", Kind: ToolEffect, Args: []int{2}, Verb: "run", Mod: modMCPGo},
	{Func: "(github.com/mark3labs/mcp-go/client.MCPClient).CallTool", Kind: ToolEffect, Args: []int{2}, Verb: "run", Mod: modMCPGo},
	{Func: "(github.com/modelcontextprotocol/go-sdk/mcp.ClientSession).CallTool", Kind: ToolEffect, Args: []int{2}, Verb: "run", Mod: modMCPSDK},
	{Func: "(github.com/tmc/langchaingo/tools.Tool).Call", Kind: ToolEffect, Args: []int{2}, Verb: "run", Mod: modLangChain},
	{Func: "(github.com/cloudwego/eino/components/tool.InvokableTool).InvokableRun", Kind: ToolEffect, Args: []int{2}, Verb: "run", Mod: modEino},
}

// PlanReader is a reader that takes items out of a stream one by one.
type PlanReader struct {
	New    string   // makes the reader from an io.Reader
	Reader int      // position of the io.Reader
	Items  []string // the methods that bring an item
	Out    int      // position that an item method fills, or Result
	Shape  PlanShape
	Mod    string
}

// PlanShape says what the items of a PlanReader are to each other.
type PlanShape uint8

// The shapes.
const (
	// Elements are documents that follow each other, unless Token was called to step
	// into one: then they are parts of it.
	Elements PlanShape = iota
	// Nested items are parts of the one document that the stream is.
	Nested
	// Records are lines and the like: whether they belong together the reader does
	// not say.
	Records
)

// PlanReaders are the readers that take items out of a stream.
var PlanReaders = []PlanReader{
	{New: "encoding/json.NewDecoder", Items: []string{"Decode"}, Out: 1, Shape: Elements, Mod: modStd},
	{New: "github.com/goccy/go-json.NewDecoder", Items: []string{"Decode"}, Out: 1, Shape: Elements, Mod: modGoccyJSON},
	{New: "encoding/xml.NewDecoder", Items: []string{"DecodeElement"}, Out: 1, Shape: Nested, Mod: modStd},
	{New: "encoding/csv.NewReader", Items: []string{"Read"}, Out: Result, Shape: Records, Mod: modStd},
	{New: "bufio.NewScanner", Items: []string{"Text", "Bytes"}, Out: Result, Shape: Records, Mod: modStd},
	{New: "bufio.NewReader", Items: []string{"ReadString", "ReadBytes"}, Out: Result, Shape: Records, Mod: modStd},
	{New: "bufio.NewReaderSize", Items: []string{"ReadString", "ReadBytes"}, Out: Result, Shape: Records, Mod: modStd},
}

// RepeatableSQL are the words, in capitals, by which a statement does no harm when it
// is run a second time with the whole plan.
var RepeatableSQL = []string{"ON CONFLICT", "ON DUPLICATE KEY", "INSERT OR ", "REPLACE INTO", "INSERT IGNORE", "MERGE INTO", "UPSERT INTO", "WHERE NOT EXISTS"}

// EndlessWords are what the paths and parameters of requests hold that ask for a
// stream without an end.
var EndlessWords = []string{"follow", "watch", "stream", "tail", "events", "subscribe", "/logs", "monitor", "changes"}
