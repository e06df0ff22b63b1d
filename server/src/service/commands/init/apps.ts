// How sign-in is added to an app of each framework.
import packageJson from '../../../../package.json' with { type: 'json' }
import { CommandRefused } from '../../outcome.ts'
import { addImport, addLineAfter, wrap } from './edits.ts'
import { type AppPlan, type Framework, type PackageManifest, type Project, template } from './project.ts'

/** Put together, because packing takes a whole name in quotes for an import of this package. */
const scope = ['@bailiwick', ''].join('/')
const published = (name: string) => `${scope}${name}@${packageJson.version}`
const ownModule = './bailiwick'
const componentImport = `import { Bailiwick } from '${ownModule}'`
const extensions = ['js', 'mjs', 'cjs', 'ts', 'mts']
const named = (folders: readonly string[], names: readonly string[], endings: readonly string[]) =>
  folders.flatMap((folder) => names.flatMap((name) => endings.map((ending) => `${folder}${name}.${ending}`)))

const parentFolder = (file: string) => file.slice(0, file.lastIndexOf('/') + 1)
const readEnding = (file: string) => file.slice(file.lastIndexOf('.') + 1)

/** Gives the parameter of a component its type. */
const typed = (text: string, isTyped: boolean) =>
  isTyped ? text.replace('({ children })', "({ children }: { readonly children: import('react').ReactNode })") : text

/** Returns how a module beside another one is named in it, as the module names its neighbours. */
function neighbour(text: string, ending: string): string {
  if (!/^[cm]?ts$/.test(ending)) return `${ownModule}.${ending}`
  const [, used] = /from ['"]\.{1,2}\/[^'"]*?(\.[cm]?[jt]s)?['"]/.exec(text) ?? []
  return `${ownModule}${used ?? `.${ending.replace('ts', 'js')}`}`
}

/** The files that a start names come first: `node server.js`, `tsx watch src/index.ts`. */
function expressEntries({ main, scripts = {} }: PackageManifest): string[] {
  const started = [scripts['dev'], scripts['start']].flatMap((script) => script?.match(/[\w./-]+\.[cm]?[jt]s\b/g) ?? [])
  const usual = named(['', 'src/'], ['server', 'app', 'index', 'main'], extensions)
  return [...started, ...(main === undefined ? [] : [main]), ...usual].map((file) => file.replace(/^\.\//, ''))
}

const application = /^\s*(?:export\s+)?(?:const|let|var)\s+\w+(?:\s*:\s*[\w.]+)?\s*=\s*express\(\)/

function planExpress(project: Project, manifest: PackageManifest): AppPlan {
  const entry = expressEntries(manifest).find((file) => project.has(file) && /\bexpress\(\)/.test(project.text(file)))
  if (entry === undefined) {
    throw new CommandRefused(
      'no file was found that calls express(); name the framework with --framework in an empty folder',
    )
  }
  const text = project.text(entry)
  const ending = readEnding(entry)
  const isCommonJs = ending === 'cjs' || (ending === 'js' && manifest.type !== 'module')
  const from = neighbour(text, ending)
  const statement = isCommonJs ? `const { bailiwick } = require('${from}')` : `import { bailiwick } from '${from}'`
  const [, name = 'app'] = /(?:const|let|var)\s+(\w+)[^=\n]*=\s*express\(\)/.exec(text) ?? []
  const used = `${name}.use(bailiwick)`
  const edited = text.includes(used) ? text : addLineAfter(addImport(text, statement), application, used, entry)
  const port = /\.listen\(\s*(\d+)/.exec(text)?.[1] ?? /\bport\b[^\n]*?(\d{2,5})/i.exec(text)?.[1] ?? '3000'
  const run = 'start' in (manifest.scripts ?? {}) ? 'npm start' : `node ${entry}`
  return {
    changes: [
      project.change(entry, edited),
      project.change(
        `${parentFolder(entry)}bailiwick.${ending}`,
        template(isCommonJs ? 'express-commonjs' : 'express-module'),
      ),
    ],
    packages: [published('sdk')],
    appUrl: `http://localhost:${port}/`,
    run,
  }
}

function planVite(project: Project): AppPlan {
  const entry = project.find(named(['src/', ''], ['main', 'index'], ['tsx', 'jsx', 'ts', 'js']))
  if (entry === undefined) throw new CommandRefused('no src/main file was found')
  const text = project.text(entry)
  const ending = readEnding(entry)
  const edited = /<Bailiwick>/.test(text) ? text : addImport(wrap(text, '<App />', 'Bailiwick', entry), componentImport)
  const config = project.find(named([''], ['vite.config'], ['js', 'ts', 'mjs', 'mts']))
  const port = config === undefined ? undefined : /\bport:\s*(\d+)/.exec(project.text(config))?.[1]
  return {
    changes: [
      project.change(entry, edited),
      project.change(`${parentFolder(entry)}bailiwick.${ending}`, typed(template('vite'), ending.startsWith('ts'))),
    ],
    packages: [published('react'), published('sdk')],
    appUrl: `http://localhost:${port ?? 5173}/`,
    run: 'npm run dev',
    pagePrefix: 'VITE_',
  }
}

function planNext(project: Project): AppPlan {
  const layout = project.find(named(['app/', 'src/app/'], ['layout'], ['tsx', 'jsx', 'js']))
  if (layout === undefined) throw new CommandRefused('no app/layout file was found; Next.js needs the App Router')
  const text = project.text(layout)
  const ending = readEnding(layout)
  const edited = /<Bailiwick>/.test(text)
    ? text
    : addImport(wrap(text, '{children}', 'Bailiwick', layout), componentImport)
  return {
    changes: [
      project.change(layout, edited),
      project.change(`${parentFolder(layout)}bailiwick.${ending}`, typed(template('next'), ending === 'tsx')),
    ],
    packages: [published('react'), published('sdk')],
    appUrl: 'http://localhost:3000/',
    run: 'npm run dev',
  }
}

/** Returns what has to be added to the app. */
export function planApp(framework: Framework, project: Project, manifest: PackageManifest): AppPlan {
  if (framework === 'express') return planExpress(project, manifest)
  return framework === 'next' ? planNext(project) : planVite(project)
}

interface Starter {
  readonly files: ReadonlyMap<string, string>
  readonly packages: readonly string[]
}

const manifestText = (name: string, scripts: Readonly<Record<string, string>>) =>
  `${JSON.stringify({ name, version: '0.0.0', private: true, type: 'module', scripts }, null, 2)}\n`

/** Returns the files of a new app, before sign-in is added to it. */
export function starterApp(framework: Framework, name: string): Starter {
  const ignored = ['.gitignore', 'node_modules\n.env\n'] as const
  if (framework === 'express') {
    const files = [
      ['package.json', manifestText(name, { start: 'node server.js' })],
      ['server.js', template('express-starter')],
    ] as const
    return { files: new Map([...files, ignored]), packages: ['express'] }
  }
  if (framework === 'next') {
    const files = [
      ['package.json', manifestText(name, { dev: 'next dev', build: 'next build', start: 'next start' })],
      ['app/layout.jsx', template('next-layout-starter')],
      ['app/page.jsx', template('next-page-starter')],
    ] as const
    return { files: new Map([...files, ignored]), packages: ['next', 'react', 'react-dom'] }
  }
  const files = [
    ['package.json', manifestText(name, { dev: 'vite', build: 'vite build' })],
    ['index.html', template('vite-page')],
    ['src/main.jsx', template('vite-starter')],
  ] as const
  return { files: new Map([...files, ignored]), packages: ['react', 'react-dom', 'vite'] }
}
