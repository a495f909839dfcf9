package driver

import (
	"context"
	"flag"
	"fmt"
	"io"
	"strings"
)

// completion prints a script that completes command lines. All of them hold the
// lists of this build: the shell need not run the program at each key.
func (c *Command) completion(_ context.Context, args []string) int {
	shells := map[string]func(io.Writer, *completions){"bash": bashCompletion, "zsh": zshCompletion, "fish": fishCompletion}
	if len(args) != 1 || shells[args[0]] == nil {
		return c.usageError("completion needs a shell: bash, zsh or fish")
	}
	shells[args[0]](c.Stdout, c.completions())
	return exitClean
}

// completions is what can stand on a command line.
type completions struct {
	name   string
	words  []word
	checks []completion
	flags  []completion
}

type completion struct {
	name, about string
	values      []string // what follows a flag, where that is a choice
	path        string   // "file" or "dir" where it is a name of one
	free        bool     // it is something else
}

func (c *Command) completions() *completions {
	out := &completions{name: c.Name, words: c.words()}
	for _, a := range c.Analyzers {
		out.checks = append(out.checks, completion{name: a.Name, about: summary(a)})
	}
	fs, _, _ := c.flags()
	fs.VisitAll(func(f *flag.Flag) {
		_, usage := flag.UnquoteUsage(f)
		x := completion{name: f.Name, about: usage}
		switch f.Name {
		case "format":
			x.values = formatNames()
		case "color":
			x.values = []string{string(colorAuto), string(colorAlways), string(colorNever)}
		case "baseline", "o":
			x.path = "file"
		case "C":
			x.path = "dir"
		default:
			b, ok := f.Value.(interface{ IsBoolFlag() bool })
			x.free = !ok || !b.IsBoolFlag()
		}
		out.flags = append(out.flags, x)
	})
	return out
}

func (c *completions) wordNames() string {
	var names []string
	for _, w := range c.words {
		names = append(names, w.name)
	}
	return strings.Join(names, " ")
}

func names(list []completion, prefix string) string {
	var out []string
	for _, x := range list {
		out = append(out, prefix+x.name)
	}
	return strings.Join(out, " ")
}

// bashCompletion needs no more than bash 3.2, and nothing beside it. Bash parts
// words at "=", so that -flag=value comes as three of them.
func bashCompletion(w io.Writer, c *completions) {
	fmt.Fprintf(w, `# Completion of %[1]s for bash. To load it: source <(%[1]s completion bash)
_%[1]s() {
	local IFS=$' \t\n' cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} flag=
	if [[ $cur == = ]]; then
		flag=$prev cur=
	elif [[ $prev == = ]]; then
		flag=${COMP_WORDS[COMP_CWORD-2]}
	else
		flag=$prev
	fi
	COMPREPLY=()
	case ${flag/#--/-} in
`, c.name)
	for _, f := range c.flags {
		switch {
		case f.values != nil:
			fmt.Fprintf(w, "\t-%s)\n\t\tCOMPREPLY=($(compgen -W '%s' -- \"$cur\"))\n\t\treturn ;;\n", f.name, strings.Join(f.values, " "))
		case f.path != "":
			fmt.Fprintf(w, "\t-%s)\n\t\t_%s_paths -%s\n\t\treturn ;;\n", f.name, c.name, f.path[:1])
		case f.free:
			fmt.Fprintf(w, "\t-%s)\n\t\treturn ;;\n", f.name)
		}
	}
	fmt.Fprintf(w, `	esac
	if ((COMP_CWORD > 1)); then
		case ${COMP_WORDS[1]} in
		help | explain)
			COMPREPLY=($(compgen -W '%[2]s' -- "$cur"))
			return ;;
		completion)
			COMPREPLY=($(compgen -W 'bash zsh fish' -- "$cur"))
			return ;;
		checks | version)
			return ;;
		esac
	fi
	if [[ $cur == -* ]]; then
		local flags='%[3]s'
		[[ $cur == --* ]] && flags=${flags//-/--} && flags=${flags//----/--}
		COMPREPLY=($(compgen -W "$flags" -- "$cur"))
		return
	fi
	_%[1]s_paths -d
	if ((COMP_CWORD == 1)); then
		COMPREPLY+=($(compgen -W '%[4]s' -- "$cur"))
	fi
}
_%[1]s_paths() {
	local IFS=$'\n'
	COMPREPLY=($(compgen "$1" -- "$cur"))
	compopt -o filenames 2>/dev/null
	return 0
}
complete -F _%[1]s %[1]s
`, c.name, names(c.checks, ""), names(c.flags, "-"), c.wordNames())
}

func zshCompletion(w io.Writer, c *completions) {
	quote := func(s string) string {
		return strings.NewReplacer("'", `'\''`, ":", `\:`, "\n", " ").Replace(s)
	}
	fmt.Fprintf(w, `#compdef %[1]s
# Completion of %[1]s for zsh. To load it: source <(%[1]s completion zsh)
_%[1]s() {
	local -a commands checks
	commands=(
`, c.name)
	for _, x := range c.words {
		fmt.Fprintf(w, "\t\t'%s:%s'\n", quote(x.name), quote(x.summary))
	}
	fmt.Fprint(w, "\t)\n\tchecks=(\n")
	for _, x := range c.checks {
		fmt.Fprintf(w, "\t\t'%s:%s'\n", quote(x.name), quote(x.about))
	}
	fmt.Fprint(w, `	)
	if ((CURRENT > 2)); then
		case $words[2] in
		help | explain)
			_describe check checks
			return ;;
		completion)
			compadd bash zsh fish
			return ;;
		checks | version)
			return ;;
		esac
	elif [[ $words[CURRENT] != -* ]]; then
		_describe command commands
	fi
	_arguments \
`)
	spec := strings.NewReplacer("[", `\[`, "]", `\]`)
	for _, f := range c.flags {
		action := ""
		switch {
		case f.values != nil:
			action = ":value:(" + strings.Join(f.values, " ") + ")"
		case f.path == "file":
			action = ":file:_files"
		case f.path == "dir":
			action = ":directory:_files -/"
		case f.free:
			action = ":value: "
		}
		equals := ""
		if action != "" {
			equals = "=" // -flag=value and -flag value
		}
		fmt.Fprintf(w, "\t\t'-%s%s[%s]%s' \\\n", quote(f.name), equals, spec.Replace(quote(f.about)), action)
	}
	fmt.Fprintf(w, `		'*:package:_files -/'
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
	_%[1]s "$@"
else
	compdef _%[1]s %[1]s
fi
`, c.name)
}

func fishCompletion(w io.Writer, c *completions) {
	quote := func(s string) string {
		return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`, "\n", " ").Replace(s) + "'"
	}
	fmt.Fprintf(w, "# Completion of %[1]s for fish. To load it: %[1]s completion fish | source\n", c.name)
	fmt.Fprintf(w, "complete -c %s -f -a '(__fish_complete_directories)'\n", c.name)
	for _, x := range c.words {
		fmt.Fprintf(w, "complete -c %s -n __fish_use_subcommand -a %s -d %s\n", c.name, x.name, quote(x.summary))
	}
	for _, x := range c.checks {
		fmt.Fprintf(w, "complete -c %s -n '__fish_seen_subcommand_from help explain' -f -a %s -d %s\n", c.name, x.name, quote(x.about))
	}
	fmt.Fprintf(w, "complete -c %s -n '__fish_seen_subcommand_from completion' -f -a 'bash zsh fish'\n", c.name)
	for _, f := range c.flags {
		value := ""
		switch {
		case f.values != nil:
			value = " -x -a " + quote(strings.Join(f.values, " "))
		case f.path == "file":
			value = " -r -F"
		case f.path == "dir":
			value = " -x -a '(__fish_complete_directories)'"
		case f.free:
			value = " -x"
		}
		fmt.Fprintf(w, "complete -c %s -o %s%s -d %s\n", c.name, f.name, value, quote(f.about))
	}
}
