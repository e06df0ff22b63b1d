// Adds sign-in to the app in a folder, or makes a new app: finds its framework, makes or picks a tenant, writes the keys into .env, adds the
// files and the smallest edits, and installs the packages. Everything is found out and checked before anything is written.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { CommandRefused, type Outcome } from '../../outcome.ts'
import { choose, isTerminal } from '../terminal/ask.ts'
import { planApp, starterApp } from './apps.ts'
import { diffText } from './diff.ts'
import { addVariables, readEnv } from './env-file.ts'
import { type AppPlan, type Change, type Framework, Project, detectFramework, frameworks } from './project.ts'
import { isIgnored, isModified } from './repository.ts'
import { type FoundTenant, Service } from './service.ts'

export interface InitOptions {
  readonly url: string
  readonly framework?: Framework
  /** Id or slug of an existing tenant. */
  readonly tenant?: string
  /** The name of a new tenant. */
  readonly name?: string
  /** Where the app is opened, if its files do not say. */
  readonly appUrl?: string
  readonly dryRun?: true
  readonly force?: true
  /** False for `--no-install`. */
  readonly install: boolean
  /** Whether the script `dev` of a new app runs the service, too, with its data in the app's folder. */
  readonly runsService?: boolean
}

interface Prepared {
  readonly framework: Framework
  readonly project: Project
  readonly plan: AppPlan
  /** Packages that a new app needs beside those of the plan. */
  readonly packages: readonly string[]
}

async function findFramework(project: Project, options: InitOptions): Promise<Framework> {
  const manifest = project.manifest()
  const found = options.framework ?? (manifest && detectFramework(manifest))
  if (found !== undefined) return found
  if (isTerminal()) return choose('With which framework?', frameworks)
  throw new CommandRefused(
    `There is no app with ${frameworks.join(', ')} in ${project.folder}. Say with --framework what to make.`,
  )
}

function addressGiven({ appUrl }: InitOptions): Partial<AppPlan> {
  if (appUrl === undefined) return {}
  if (!URL.canParse(appUrl)) throw new CommandRefused(`--app-url is not an address: ${appUrl}`)
  return { appUrl: new URL(appUrl).href }
}

async function prepare(folder: string, options: InitOptions): Promise<Prepared> {
  const present = new Project(folder)
  const framework = await findFramework(present, options)
  const isNew = present.manifest() === undefined
  if (isNew && existsSync(folder) && readdirSync(folder).some((name) => !name.startsWith('.'))) {
    throw new CommandRefused(`${folder} is not empty, and has no package.json`)
  }
  const starter = isNew ? starterApp(framework, basename(folder), options.runsService) : undefined
  const project = new Project(folder, starter?.files)
  return {
    framework,
    project,
    plan: { ...planApp(framework, project, project.manifest() ?? {}), ...addressGiven(options) },
    packages: starter?.packages ?? [],
  }
}

async function pickTenant(
  service: Service,
  { name, tenant }: InitOptions,
  project: Project,
  isOfTenant: boolean,
): Promise<FoundTenant | undefined> {
  if (tenant !== undefined) return service.findTenant(tenant)
  const env = readEnv(project.text('.env'))
  const known = env.get('BAILIWICK_TENANT_ID') ?? env.get('VITE_BAILIWICK_TENANT_ID')
  if (known !== undefined && name === undefined) return service.findTenant(known)
  // A secret key sees its own tenant alone.
  if (isOfTenant) return (await service.listTenants())[0]
  if (name !== undefined || !isTerminal()) return undefined
  const listed = (await service.listTenants()).slice(0, 20)
  const titles = listed.map((each) => `${each.name} (${each.slug})`)
  const chosen = listed.length === 0 ? '' : await choose('For which tenant?', ['A new tenant', ...titles])
  return listed[titles.indexOf(chosen)]
}

/** Servers get all variables. Pages get what is public, by names that their bundler hands to them. */
function variablesFor({ pagePrefix }: AppPlan, env: Readonly<Record<string, string>>): Record<string, string> {
  if (pagePrefix === undefined) return { ...env }
  const names = ['BAILIWICK_FRONTEND_API_URL', 'BAILIWICK_PUBLIC_KEY', 'BAILIWICK_TENANT_ID']
  return Object.fromEntries(names.map((name) => [`${pagePrefix}${name}`, env[name] ?? '']))
}

/** Keeps .env out of the repository, also of one that is made later. */
function ignoreChange({ folder }: Project, changes: readonly Change[]): readonly Change[] {
  const already = changes.find(({ file }) => file === '.gitignore')
  const text = new Project(folder).text('.gitignore')
  const isListed = text.split(/\r?\n/).some((line) => ['.env', '/.env', '.env*'].includes(line.trim()))
  if (already !== undefined || isListed || isIgnored(folder, '.env')) return []
  return [
    {
      file: '.gitignore',
      before: text === '' ? undefined : text,
      after: `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}.env\n`,
    },
  ]
}

/** @throws CommandRefused if a change would replace something that is not committed, or a file of the app's own. */
function checkConflicts({ folder }: Project, changes: readonly Change[], plan: AppPlan, { force }: InitOptions) {
  const isOwn = new Set(plan.changes.filter(({ file }) => /(?:^|\/)bailiwick\.\w+$/.test(file)).map(({ file }) => file))
  for (const { after, before, file } of changes) {
    if (force === true || before === undefined || before === after) continue
    if (isOwn.has(file))
      throw new CommandRefused(`${file} exists with another content. Rename it, or replace it with --force.`)
    if (isModified(folder, file) && file !== '.env' && file !== '.gitignore') {
      throw new CommandRefused(`${file} has changes that are not committed. Commit them first, or go on with --force.`)
    }
  }
}

function write(folder: string, changes: readonly Change[]) {
  for (const { after, file } of changes) {
    const path = join(folder, file)
    mkdirSync(dirname(path), { recursive: true })
    // A secret key is in .env.
    writeFileSync(path, after, file === '.env' ? { mode: 0o600 } : {})
  }
}

const installers = [
  ['pnpm-lock.yaml', 'pnpm', 'add'],
  ['yarn.lock', 'yarn', 'add'],
  ['bun.lock', 'bun', 'add'],
] as const

function install({ folder }: Project, packages: readonly string[]) {
  const [, program, verb] = installers.find(([file]) => existsSync(join(folder, file))) ?? ['', 'npm', 'install']
  const command = [program, verb, ...packages].join(' ')
  const { status } = spawnSync(program, [verb, ...packages], {
    cwd: folder,
    // Standard output has only the result.
    stdio: ['ignore', process.stderr, process.stderr],
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw new CommandRefused(`Everything is written, but \`${command}\` failed: run it yourself.`)
}

/** What `--dry-run` shows in place of what only a tenant has. */
const unknownEnvironment = {
  BAILIWICK_FRONTEND_API_URL: '…',
  BAILIWICK_TENANT_ID: '…',
  BAILIWICK_PUBLIC_KEY: 'pk_…',
  BAILIWICK_SECRET_KEY: 'sk_…',
}

/** @param folder the app's; created if it does not exist. */
export async function init(folder: string, options: InitOptions, env: NodeJS.ProcessEnv): Promise<Outcome> {
  const root = resolve(folder)
  const { framework, packages, plan, project } = await prepare(root, options)
  const secretKey = env['BAILIWICK_SECRET_KEY']
  const service = new Service({ url: options.url, key: secretKey ?? env['BAILIWICK_OPERATOR_KEY'] })
  const picked = await pickTenant(service, options, project, secretKey !== undefined)
  const changesWith = (variables: Readonly<Record<string, string>>): readonly Change[] => {
    const keys = project.change('.env', addVariables(project.text('.env'), variablesFor(plan, variables), '.env'))
    const own = [...plan.changes, keys]
    const all = [...project.starterChanges(own), ...own]
    return [...all, ...ignoreChange(project, all)].filter(({ after, before }) => after !== before)
  }
  const known = picked && (await service.environment(picked.id))
  const preview = changesWith(known ?? unknownEnvironment)
  checkConflicts(project, preview, plan, options)
  if (options.dryRun === true) {
    return {
      text: `${preview.map(diffText).join('\n\n')}\n\nNothing was written.`,
      json: { framework, files: preview.map(({ file }) => file), isWritten: false },
    }
  }
  const tenant = picked ?? (await service.createTenant(options.name ?? project.manifest()?.name ?? basename(root)))
  const changes = known === undefined ? changesWith(await service.environment(tenant.id)) : preview
  await service.allowReturn(tenant.id, plan.appUrl)
  write(root, changes)
  if (options.install) install(project, [...packages, ...plan.packages])
  const enter = root === process.cwd() ? '' : `cd ${folder} && `
  return {
    text: [
      ...changes.map(diffText),
      `Users of ${tenant.name} (${tenant.slug}) sign in to this app. Start it with \`${enter}${plan.run}\` and open ${plan.appUrl}`,
    ].join('\n\n'),
    json: {
      framework,
      tenant: { id: tenant.id, slug: tenant.slug },
      appUrl: plan.appUrl,
      run: plan.run,
      files: changes.map(({ file }) => file),
      isWritten: true,
    },
  }
}
