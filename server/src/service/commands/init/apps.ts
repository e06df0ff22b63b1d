// How sign-in is added to an app of each framework.
import packageJson from '../../../../package.json' with { type: 'json' }
import { CommandRefused } from '../../outcome.ts'
import { addImport, addLineAfter, wrap } from './edits.ts'
import { readEnv } from './env-file.ts'
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

/** Gives the parameters of components their type. */
const typed = (text: string, isTyped: boolean) =>
  isTyped ? text.replaceAll('({ children })', "({ children }: { readonly children: import('react').ReactNode })") : text

/** Returns how a module beside another one is named in it, as the module names its neighbours. */
function neighbour(text: string, ending: string): string {
  if (!/^[cm]?ts$/.test(ending)) return `${ownModule}.${ending}`
  const found = /from ['"]\.{1,2}\/[^'"]*?(\.[cm]?[jt]s)?['"]/.exec(text)
  return `${ownModule}${found === null ? `.${ending.replace('ts', 'js')}` : (found[1] ?? '')}`
}

/** Returns the port that a script names: `next dev -p 3100`, `vite --port=3100`, `PORT=3100 node server.js`. */
const scriptPort = (script = '') => /(?:\s-p[ =]?|\s--port[ =]|\bPORT=)(\d{2,5})\b/.exec(script)?.[1]

/** Returns the text with the module of sign-in imported, however it may be imported there already. */
const withImport = (text: string, statement: string) =>
  /['"]\.\/bailiwick(?:\.\w+)?['"]/.test(text) ? text : addImport(text, statement)

/** The files that a start names come first: `node server.js`, `tsx watch src/index.ts`. */
function expressEntries({ main, scripts = {} }: PackageManifest): string[] {
  const started = [scripts['dev'], scripts['start']].flatMap((script) => script?.match(/[\w./-]+\.[cm]?[jt]s\b/g) ?? [])
  const usual = named(['', 'src/'], ['server', 'app', 'index', 'main'], extensions)
  const files = [...started, ...(main === undefined ? [] : [main]), ...usual].map((file) => file.replace(/^\.\//, ''))
  // What a build writes is not edited: the next build would undo it.
  return files.filter((file) => !/^(?:build|dist|out)\//.test(file))
}

/** Returns the port on which the app listens, as far as its files say. */
function expressPort(project: Project, text: string, script: string | undefined): string {
  const literal = /\.listen\(\s*(\d+)/.exec(text)?.[1]
  const isFromEnv = /\benv(?:\.PORT\b|\[['"]PORT['"]\])/.test(text)
  const fromEnv = isFromEnv ? (scriptPort(script) ?? readEnv(project.text('.env')).get('PORT')) : undefined
  return literal ?? fromEnv ?? /\bport\b[^\n]*?(\d{2,5})/i.exec(text)?.[1] ?? '3000'
}

/** Returns the script of the package that runs the entry. */
function expressScript({ scripts = {} }: PackageManifest, entry: string): 'dev' | 'start' | undefined {
  const names = (['start', 'dev'] as const).filter((name) => scripts[name] !== undefined)
  return names.find((name) => scripts[name]?.includes(entry)) ?? names[0]
}

const application = /^\s*(?:export\s+)?(?:const|let|var)\s+\w+(?:\s*:\s*[\w.]+)?\s*=\s*express\(\)/

function planExpress(project: Project, manifest: PackageManifest): AppPlan {
  const entry = expressEntries(manifest).find((file) => project.has(file) && /\bexpress\(\)/.test(project.text(file)))
  if (entry === undefined) {
    throw new CommandRefused(
      'No file that calls express() was found. Looked for: the files that the scripts dev and start name, main, and server, app, index or main in the folder and in src.',
    )
  }
  const text = project.text(entry)
  const ending = readEnding(entry)
  const isCommonJs = ending === 'cjs' || (ending === 'js' && manifest.type !== 'module')
  const from = neighbour(text, ending)
  const statement = isCommonJs ? `const { bailiwick } = require('${from}')` : `import { bailiwick } from '${from}'`
  const [, name = 'app'] = /(?:const|let|var)\s+(\w+)[^=\n]*=\s*express\(\)/.exec(text) ?? []
  const used = `${name}.use(bailiwick)`
  const [route] = /['"`]\/auth\/(?:sign-in|sign-up|account|sign-out|me)\b/.exec(text) ?? []
  if (route !== undefined) {
    throw new CommandRefused(
      `${entry} already has a route ${route.slice(1)}, which sign-in would replace. Rename it first.`,
    )
  }
  const edited = text.includes(used)
    ? withImport(text, statement)
    : addLineAfter(withImport(text, statement), application, used, entry)
  const script = expressScript(manifest, entry)
  const port = expressPort(project, text, script && manifest.scripts?.[script])
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
    run: script === undefined ? `node ${entry}` : script === 'start' ? 'npm start' : 'npm run dev',
  }
}

function planVite(project: Project, { scripts = {} }: PackageManifest): AppPlan {
  const entry = project.find(named(['src/', ''], ['main', 'index'], ['tsx', 'jsx', 'ts', 'js']))
  if (entry === undefined) throw new CommandRefused('No main or index file was found in src or in the folder.')
  const text = project.text(entry)
  const ending = readEnding(entry)
  const wrapped = /<Bailiwick>/.test(text) ? text : wrap(text, '<App />', 'Bailiwick', entry)
  const edited = withImport(wrapped, componentImport)
  const config = project.find(named([''], ['vite.config'], ['js', 'ts', 'mjs', 'mts']))
  const settings = config === undefined ? '' : project.text(config)
  const port = scriptPort(scripts['dev']) ?? /\bport:\s*(\d+)/.exec(settings)?.[1] ?? '5173'
  const [, path = ''] = /\bbase:\s*['"]\/([\w/-]+?)\/?['"]/.exec(settings) ?? []
  return {
    changes: [
      project.change(entry, edited),
      project.change(`${parentFolder(entry)}bailiwick.${ending}`, typed(template('vite'), ending.startsWith('ts'))),
    ],
    packages: [published('react'), published('sdk')],
    appUrl: `http://localhost:${port}/${path}${path === '' ? '' : '/'}`,
    run: 'npm run dev',
    pagePrefix: 'VITE_',
  }
}

/** Returns the text with sign-ins that end at the home page of the app, which Next.js has at its `basePath`. */
const withPath = (text: string, path: string) =>
  path === '' ? text : text.replace('redirectTo="/"', `redirectTo="${path}"`)

function planNext(project: Project, { scripts = {} }: PackageManifest): AppPlan {
  const layout = project.find(named(['app/', 'src/app/'], ['layout'], ['tsx', 'jsx', 'js']))
  if (layout === undefined) {
    throw new CommandRefused(
      'No root layout was found (app/layout or src/app/layout). The Pages Router, and root layouts in subfolders such as app/[locale], are not supported by this command.',
    )
  }
  const text = project.text(layout)
  if (/^\s*['"]use client['"]/m.test(text)) {
    throw new CommandRefused(
      `${layout} is a Client Component, and sign-in needs a layout that is rendered on the server. Move what needs "use client" into a component of its own.`,
    )
  }
  const config = project.find(named([''], ['next.config'], ['js', 'ts', 'mjs', 'mts']))
  const settings = config === undefined ? '' : project.text(config)
  if (/\boutput:\s*['"]export['"]/.test(settings)) {
    throw new CommandRefused(`${config} exports a static site, and sign-in needs a server. Remove output: 'export'.`)
  }
  const [, path = ''] = /\bbasePath:\s*['"](\/[\w/-]+)['"]/.exec(settings) ?? []
  const ending = readEnding(layout)
  const wrapped = /<Bailiwick>/.test(text) ? text : wrap(text, '{children}', 'Bailiwick', layout)
  const edited = withImport(wrapped, componentImport)
  return {
    changes: [
      project.change(layout, edited),
      project.change(
        `${parentFolder(layout)}bailiwick.${ending}`,
        typed(withPath(template('next'), path), ending === 'tsx'),
      ),
    ],
    packages: [published('react'), published('sdk')],
    appUrl: `http://localhost:${scriptPort(scripts['dev']) ?? '3000'}${path === '' ? '/' : path}`,
    run: 'npm run dev',
  }
}

/** Returns what has to be added to the app. */
export function planApp(framework: Framework, project: Project, manifest: PackageManifest): AppPlan {
  if (framework === 'express') return planExpress(project, manifest)
  return framework === 'next' ? planNext(project, manifest) : planVite(project, manifest)
}

interface Starter {
  readonly files: ReadonlyMap<string, string>
  readonly packages: readonly string[]
}

/** Returns a name that npm accepts for a package. */
const packageName = (name: string) =>
  name
    .toLowerCase()
    .replaceAll(/[^\w.~-]+/g, '-')
    .replaceAll(/^[._-]+|[._-]+$/g, '') || 'app'

const starters = {
  express: {
    scripts: { dev: 'node --watch server.js', start: 'node server.js' },
    files: [['server.js', 'express-starter']],
    packages: ['express'],
  },
  next: {
    scripts: { dev: 'next dev', build: 'next build', start: 'next start' },
    files: [
      ['app/layout.jsx', 'next-layout-starter'],
      ['app/page.jsx', 'next-page-starter'],
    ],
    packages: ['next', 'react', 'react-dom'],
  },
  'vite-react': {
    scripts: { dev: 'vite', build: 'vite build' },
    files: [
      ['index.html', 'vite-page'],
      ['src/main.jsx', 'vite-starter'],
    ],
    packages: ['react', 'react-dom', 'vite'],
  },
} as const satisfies Readonly<Record<Framework, object>>

/**
 * Returns the files of a new app, before sign-in is added to it.
 * @param runsService whether its script `dev` runs the service beside the app, which then is one of its packages.
 */
export function starterApp(framework: Framework, name: string, runsService = false): Starter {
  const { files, packages, scripts } = starters[framework]
  const manifest = {
    name: packageName(name),
    version: '0.0.0',
    private: true,
    type: 'module',
    scripts: runsService ? { ...scripts, dev: `bailiwick dev -- ${scripts.dev}` } : scripts,
    ...(runsService ? { devDependencies: { bailiwick: packageJson.version } } : {}),
  }
  const texts = [
    ['package.json', `${JSON.stringify(manifest, null, 2)}\n`],
    ['.gitignore', 'node_modules\n.env\n.bailiwick\n'],
    ...files.map(([file, text]) => [file, template(text)] as const),
  ] as const
  return { files: new Map(texts), packages }
}
