// Which packages are published, and what their package.json says there. In the repository they are workspaces whose TypeScript runs as
// it is; Node runs none in node_modules, so they are published compiled, with another package.json.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const repository = join(import.meta.dirname, '../..')
/** Ignored by git: the build's output, and the tarballs. */
export const outputFolder = join(repository, '.packages')

export interface Manifest {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly license: string
  readonly type: 'module'
  readonly keywords?: readonly string[]
  readonly sideEffects?: boolean | readonly string[]
  readonly bin?: Readonly<Record<string, string>>
  readonly exports?: Readonly<Record<string, string>>
  readonly imports?: Readonly<Record<string, string>>
  readonly engines?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: object
}

/** What is compiled of a workspace. */
export interface CompiledWorkspace {
  /** The workspace's folder in the repository. */
  readonly folder: string
  /** Sources that are read at run time, as files below `src/`: they are copied unchanged. */
  readonly keptSources?: readonly string[]
  /** The compiler options in its folder, if the repository's options are not suitable. */
  readonly tsconfig?: string
}

export interface PublishedPackage extends CompiledWorkspace {
  /** The name under which it is published. */
  readonly name: string
  readonly readme: string
  /** Whether others import it; a program needs no declarations. */
  readonly isLibrary: boolean
  /**
   * Other workspaces that are part of it: each has a folder of its own name beside `dist/`, and the package imports it as `#name`. So one
   * tarball is enough, whichever package manager installs it.
   */
  readonly contains?: readonly CompiledWorkspace[]
  /** What is built beforehand and copied unchanged: where it is in the repository, and where in the package's `dist/`. */
  readonly built?: readonly { readonly from: string; readonly to: string }[]
  /** Whether the service serves the reference of the interface from it. The guides would make the package a tenth larger. */
  readonly hasReference?: boolean
}

/** In the order in which they depend on each other. */
export const publishedPackages: readonly PublishedPackage[] = [
  { folder: 'contract', name: '@bailiwick/contract', readme: 'contract/README.md', isLibrary: true },
  { folder: 'sdk', name: '@bailiwick/sdk', readme: 'sdk/README.md', isLibrary: true },
  { folder: 'testing', name: '@bailiwick/testing', readme: 'testing/README.md', isLibrary: true },
  {
    folder: 'react',
    name: '@bailiwick/react',
    readme: 'react/README.md',
    isLibrary: true,
    tsconfig: 'tsconfig.json',
  },
  {
    folder: 'server',
    name: 'bailiwick',
    readme: 'README.md',
    isLibrary: false,
    contains: [
      { folder: 'contract' },
      // Code for browsers, whose types are stripped when it is first requested.
      { folder: 'pages', keptSources: ['browser/pages.ts', 'browser/challenge.ts', 'browser/passkey-upkeep.ts'] },
    ],
    built: [{ from: 'console/.built', to: 'console' }],
    hasReference: true,
  },
  // No workspace: its dependency has the name of the whole repository, which npm would ask its registry for.
  { folder: 'create', name: 'create-bailiwick-app', readme: 'create/README.md', isLibrary: false },
]

export const readManifest = (folder: string) =>
  JSON.parse(readFileSync(join(repository, folder, 'package.json'), 'utf8')) as Manifest

/** Returns `./src/jwt.ts` as it is published: the compiled file and its declarations, the types first, as TypeScript requires. */
function publishedExport(target: string) {
  const built = target.replace('./src/', './dist/')
  if (!/\.tsx?$/.test(target)) return built
  const file = built.replace(/\.tsx?$/, '')
  return { types: `${file}.d.ts`, default: `${file}.js` }
}

const mapValues = <From, To>(record: Readonly<Record<string, From>>, change: (value: From) => To) =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))

/**
 * Returns the package.json to publish; scripts, development dependencies and `private` stay in the repository.
 * @param address where the sources are, if that is known; the registry compares it with the place that a package was built at.
 */
export function publishedManifest(
  { folder, name, isLibrary, contains = [] }: PublishedPackage,
  address?: string,
): Manifest & Record<string, unknown> {
  const own = readManifest(folder)
  const root = readManifest('.')
  const hasNode = !isLibrary && own.dependencies?.['bailiwick'] === undefined
  const { bin, engines, exports, keywords, peerDependencies, peerDependenciesMeta, sideEffects } = own
  const dependencies = dependenciesWith(own, contains)
  for (const dependency of Object.keys(dependencies)) {
    const isPublished = publishedPackages.some((each) => each.name === dependency)
    if (dependency.startsWith('@bailiwick/') && !isPublished) {
      throw new Error(`${name} depends on ${dependency}, which scripts/packages/published.ts does not list`)
    }
  }
  const present = {
    keywords,
    repository: address && { type: 'git', url: `git+${address}.git`, directory: folder },
    sideEffects,
    bin: bin && mapValues(bin, (target) => target.replace('./src/', './dist/')),
    exports: exports && mapValues(exports, publishedExport),
    imports:
      contains.length === 0
        ? undefined
        : Object.fromEntries(contains.map((each) => [`#${each.folder}`, `./${each.folder}/index.js`])),
    dependencies,
    peerDependencies,
    peerDependenciesMeta,
    // Node 24, for machines that have an older one: see decision 0004.
    optionalDependencies: hasNode ? nodePackages(root.optionalDependencies ?? {}) : undefined,
  }
  return {
    name,
    version: own.version,
    description: own.description ?? root.description,
    license: own.license,
    type: 'module',
    engines: engines ?? root.engines,
    ...Object.fromEntries(Object.entries(present).filter(([, value]) => value !== undefined)),
  } as Manifest & Record<string, unknown>
}

/** Returns what a package depends on; of the workspaces that are part of it, what these depend on. */
function dependenciesWith({ dependencies = {} }: Manifest, contains: readonly CompiledWorkspace[]) {
  const parts = contains.map(({ folder }) => readManifest(folder))
  const all = [dependencies, ...parts.map((part) => part.dependencies ?? {})].flatMap((each) => Object.entries(each))
  const foreign = all.filter(([dependency]) => parts.every(({ name }) => name !== dependency))
  return Object.fromEntries(foreign.toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

const nodePackages = (optional: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(optional).filter(([name]) => name.startsWith('node-')))
