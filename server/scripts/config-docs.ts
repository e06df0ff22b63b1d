// Writes docs/configuration.md, or with --check fails where it differs from what config.ts reads.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describeConfig } from '../src/platform/config.ts'

const file = fileURLToPath(new URL('../../docs/configuration.md', import.meta.url))

const cell = (text: string) => text.replaceAll('|', String.raw`\|`)
const code = (text: string) => (text === '' || text.includes(' ') ? cell(text) : `\`${text}\``)

const rows = describeConfig().map(
  ({ name, default: value, description }) => `| \`${name}\` | ${code(value)} | ${cell(description)} |`,
)

const wanted = `<!-- Written by \`node server/scripts/config-docs.ts\` from server/src/platform/config.ts. -->

# Configuration

Only environment variables configure the service. It reads them once at the start. If they have problems, it prints all of them, and the
start ends with status 78: a malformed value, an empty one, an unknown \`BAILIWICK_…\` variable. Secrets are never printed; each
can be given as a file instead, whose path is in the variable of the same name followed by \`_FILE\`.

| variable | default | what it sets |
|---|---|---|
${rows.join('\n')}
`

if (process.argv.includes('--check')) {
  if (readFileSync(file, 'utf8') !== wanted) {
    process.stderr.write(
      'docs/configuration.md is not what config.ts reads; run `node server/scripts/config-docs.ts`.\n',
    )
    process.exit(1)
  }
} else {
  writeFileSync(file, wanted)
}
