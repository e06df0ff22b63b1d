// A quickstart as data: the commands to run and the files to write.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repository } from './published.ts'

export interface Guide {
  /** In order, one for each block. */
  readonly commands: readonly string[]
  /** By name. Each is named in the sentence or line before it. */
  readonly files: ReadonlyMap<string, string>
}

export function readGuide(name: string): Guide {
  const text = readFileSync(join(repository, 'docs', name), 'utf8')
  const blocks = text.matchAll(/`([\w/]+\.(?:jsx?|html))`[^`]*?\n\n?```\w+\n(.*?)^```$/gms)
  return {
    commands: [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, script = '']) => script),
    files: new Map([...blocks].map(([, file = '', content = '']) => [file, content])),
  }
}
