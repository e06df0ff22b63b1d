// The sources of components for apps with Tailwind, as `npx shadcn add <address of the documentation>/r/sign-in.json` reads them
// (https://ui.shadcn.com/schema/registry-item.json). They are in react/registry/, where they are compiled with everything else.
import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { readSource, repository } from './documents/sources.ts'
import type { OutputFile } from './output.ts'

const folder = 'react/registry'

/** Returns the items, and the list of all of them. */
export function registryFiles(): OutputFile[] {
  const { name, version } = JSON.parse(readSource('react/package.json')) as {
    readonly name: string
    readonly version: string
  }
  const items = globSync('*.tsx', { cwd: join(repository, folder) })
    .toSorted()
    .map((file) => {
      const content = readSource(`${folder}/${file}`)
      const [, description = ''] = /^\/\/ (.*?), with Tailwind/m.exec(content) ?? []
      const packages = [name, ...(content.includes('@bailiwick/sdk') ? ['@bailiwick/sdk'] : [])]
      return {
        $schema: 'https://ui.shadcn.com/schema/registry-item.json',
        name: basename(file, '.tsx'),
        type: 'registry:component',
        description: `${description}.`,
        dependencies: packages.map((each) => `${each}@${version}`),
        files: [
          { path: `registry/${file}`, type: 'registry:component', target: `components/bailiwick/${file}`, content },
        ],
      }
    })
  const list = {
    $schema: 'https://ui.shadcn.com/schema/registry.json',
    name: 'bailiwick',
    homepage: 'https://www.npmjs.com/package/@bailiwick/react',
    items: items.map(({ $schema: _schema, ...item }) => ({
      ...item,
      files: item.files.map(({ content: _content, ...file }) => file),
    })),
  }
  return [...items, list].map((each) => ({
    name: `r/${'files' in each ? each.name : 'registry'}.json`,
    content: JSON.stringify(each),
  }))
}
