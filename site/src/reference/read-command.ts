interface SampleRequest {
  readonly method: string
  readonly url: string
  readonly body: string | undefined
  readonly headers: readonly { readonly name: string; readonly value: string }[]
}

/** Reads the request back from the command that the page shows. */
export function readCommand(command: string): SampleRequest {
  const text = (quoted: string) => quoted.replaceAll(String.raw`'\''`, "'")
  const [, method = 'GET', url = ''] = / -X (\w+) '((?:[^']|'\\'')*)'/.exec(command) ?? []
  const [, body] = / -d '((?:[^']|'\\'')*)'/.exec(command) ?? []
  const headers = Array.from(command.matchAll(/ -H (?:'([\w-]+): ([^']*)'|"([\w-]+): ([^"]*)")/g), (match) => ({
    name: match[1] ?? match[3] ?? '',
    value: match[2] ?? match[4] ?? '',
  }))
  return { method, url: text(url), body: body === undefined ? undefined : text(body), headers }
}
