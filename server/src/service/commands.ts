// The commands use the same code paths as the service. What a command needs is loaded when it runs.
import { Argument, Command, CommanderError, InvalidArgumentError } from 'commander'
import packageJson from '../../package.json' with { type: 'json' }
import { type Config, readConfig } from '../platform/config.ts'
import { type Shell, shells } from './commands/completion.ts'
import type { BreachedOptions } from './commands/conversions/convert-breached-passwords.ts'
import { type UserFormat, userFormats } from './commands/conversions/user-formats/names.ts'
import type { AdministratorOptions } from './commands/create-administrator.ts'
import { addAppCommands } from './commands/create/add-app-commands.ts'
import { type Common, fail } from './commands/failure.ts'
import { addHooks } from './commands/hooks/add-hooks.ts'
import type { JobsOptions } from './commands/jobs.ts'
import { runService } from './commands/run-service.ts'
import type { DistributeOptions } from './commands/sharding/distribute.ts'
import type { TenantsOptions } from './commands/tenants.ts'
import { type Tell, startProgress } from './commands/terminal/progress.ts'
import { type Outcome, exitStatus } from './outcome.ts'

/**
 * npm takes `--json` for itself in `npm run bailiwick doctor --json`, and leaves a variable behind. Whoever asked for JSON gets it.
 */
function withJsonOfNpm(argv: readonly string[], env: NodeJS.ProcessEnv): readonly string[] {
  const isTaken = env['npm_lifecycle_event'] === 'bailiwick' && env['npm_config_json'] === 'true'
  return isTaken && argv.length > 2 && argv[2] !== 'start' && !argv.includes('--json') ? [...argv, '--json'] : argv
}

/** Runs a command to its end, showing how far it is, and tells what came out. */
async function perform(options: Common, command: (config: Config, tell: Tell) => Promise<Outcome>) {
  const progress = startProgress(options.json === true)
  try {
    const { text, json, status } = await command(readConfig(process.env), progress.tell)
    progress.end()
    console.log(options.json === true ? JSON.stringify(json) : text)
    process.exitCode = status ?? exitStatus.ok
  } catch (error) {
    progress.end()
    fail(error, options)
  }
}

function count(text: string): number {
  const value = Number(text)
  if (!/^\d{1,5}$/.test(text) || value < 1) throw new InvalidArgumentError('It must be a whole number from 1 to 99999.')
  return value
}

function addServiceCommands(program: Command) {
  program.command('start').description('run the service').action(runService)
  program
    .command('migrate')
    .description('update the database schema to this version')
    .option('--json', 'print the result as JSON')
    .action((options: Common) =>
      perform(options, async (config) => (await import('./commands/migrate.ts')).migrate(config)),
    )
}

function addDistribute(program: Command) {
  program
    .command('distribute')
    .description(
      'spread the tables of a PostgreSQL database over the servers of a Citus cluster; no service may be running',
    )
    .option('--dry-run', 'only print where each table would be')
    .option('--shards <number>', 'how many parts each table has; default: the setting citus.shard_count', count)
    .option('--json', 'print the result as JSON')
    .action((options: Common & DistributeOptions) =>
      perform(options, async (config, tell) =>
        (await import('./commands/sharding/distribute.ts')).distribute(config, options, tell),
      ),
    )
}

function addChecks(program: Command) {
  program
    .command('doctor')
    .description('check configuration, database, keys, counters and background work')
    .option('--json', 'print the result as JSON')
    .action((options: Common) =>
      perform(options, async (config) => (await import('./commands/doctor.ts')).doctor(config)),
    )
  program
    .command('verify-log')
    .argument('[tenant]', 'id or slug of a tenant; default: all tenants')
    .description('check the event log for changed, removed and inserted events')
    .option('--json', 'print the result as JSON')
    .action((tenant: string | undefined, options: Common) =>
      perform(options, async (config) => (await import('./commands/verify-log.ts')).verifyLog(config, tenant)),
    )
}

interface SeedOptions extends Common {
  readonly tenants: number
  readonly users: number
  readonly force?: true
}

function addData(program: Command) {
  program
    .command('seed')
    .description('create demonstration tenants with users and organizations')
    .option('--tenants <number>', 'the number of tenants', count, 2)
    .option('--users <number>', 'the number of users in each tenant', count, 20)
    .option('--force', 'also in production')
    .option('--json', 'print the result as JSON')
    .action((options: SeedOptions) =>
      perform(options, async (config) => (await import('./commands/seed.ts')).seed(config, options)),
    )
}

function addTypes(program: Command) {
  program
    .command('types')
    .argument('<tenant>', 'id or slug of the tenant')
    .description("print a TypeScript declaration of a tenant's claims, roles and permissions")
    .option('--json', 'print the result as JSON')
    .action((tenant: string, options: Common) =>
      perform(options, async (config) => (await import('./commands/types.ts')).types(config, tenant)),
    )
}

function addPeople(program: Command) {
  program
    .command('create-administrator')
    .description(
      'create an account at the console, and optionally a tenant or rights in one; reads the password from standard input',
    )
    .requiredOption('--email <address>', 'e-mail address of the administrator; an existing account is used')
    .option('--name <name>', 'name of the administrator')
    .option('--tenant <tenant>', 'id or slug of an existing tenant to administer')
    .option('--new-tenant <name>', 'name of a new tenant to create and administer')
    .option('--json', 'print the result as JSON')
    .action((options: Common & AdministratorOptions) =>
      perform(options, async (config) =>
        (await import('./commands/create-administrator.ts')).createAdministrator(config, options),
      ),
    )
}

function addAdministration(program: Command) {
  program
    .command('reset-administrator')
    .description('let somebody in who has lost the password or the second factor of the account at the console')
    .requiredOption('--email <address>', 'of the account')
    .option('--json', 'print the result as JSON')
    .action((options: Common & { readonly email: string }) =>
      perform(options, async (config) =>
        (await import('./commands/reset-administrator.ts')).resetAdministrator(config, options),
      ),
    )
  program
    .command('tenants')
    .argument('[text]', 'a part of the name or slug, or the id; all tenants unless given')
    .description('list tenants, newest first, with how many users and organizations they have')
    .option('--limit <number>', 'how many at most', count, 100)
    .option('--json', 'print the result as JSON')
    .action((text: string | undefined, options: Common & TenantsOptions) =>
      perform(options, async (config) => (await import('./commands/tenants.ts')).tenants(config, text, options)),
    )
}

function addJobs(program: Command) {
  const jobs = program
    .command('jobs')
    .description('list the background work that waits or has failed')
    .option('--failed', 'only what has failed')
    .option('--limit <number>', 'how many at most', count, 100)
    .option('--json', 'print the result as JSON')
    .action((options: Common & JobsOptions) =>
      perform(options, async (config) => (await import('./commands/jobs.ts')).jobs(config, options)),
    )
  jobs
    .command('retry')
    .argument('[id]', 'of one job')
    .description('try a failed job again now, or with --failed all of them')
    // The command above has taken the options that both have.
    .action((id: string | undefined, _own: object, command: Command) => {
      const options = command.optsWithGlobals<Common & { readonly failed?: true }>()
      return perform(options, async (config) => (await import('./commands/jobs.ts')).retry(config, id, options))
    })
}

function addCompletion(program: Command) {
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'where it is used').choices(shells))
    .description('print a script that completes commands and options: source <(bailiwick completion bash)')
    .action(async (shell: Shell) => {
      const { completionScript } = await import('./commands/completion.ts')
      process.stdout.write(completionScript(shell, program))
    })
}

interface PassphraseOptions extends Common {
  readonly passphraseFile?: string
}

function addMoves(program: Command) {
  program
    .command('export')
    .argument('<tenant>', 'id or slug')
    .description('export a tenant into an encrypted file')
    .requiredOption('--output <file>', 'the file to write; an existing file is replaced')
    .option(
      '--passphrase-file <file>',
      'file with the passphrase for the encryption; default: BAILIWICK_EXPORT_PASSPHRASE',
    )
    .option('--json', 'print the result as JSON')
    .action((tenant: string, options: PassphraseOptions & { readonly output: string }) =>
      perform(options, async (config, tell) =>
        (await import('./commands/export.ts')).exportCommand(config, tenant, options, tell),
      ),
    )
  program
    .command('import')
    .argument('<file>', 'the file that export has written')
    .description('import a tenant from an exported file')
    .option('--dry-run', 'only check the file and possible conflicts, and write nothing')
    .option('--trust-domains', 'keep domains verified as the file says; otherwise each must be verified again')
    .option('--passphrase-file <file>', 'file with the passphrase of the export; default: BAILIWICK_EXPORT_PASSPHRASE')
    .option('--json', 'print the result as JSON')
    .action((file: string, options: PassphraseOptions & { readonly dryRun?: true; readonly trustDomains?: true }) =>
      perform(options, async (config, tell) =>
        (await import('./commands/import.ts')).importCommand(config, file, options, tell),
      ),
    )
}

interface ConversionOptions extends Common {
  readonly output: string
  readonly hashConfig?: string
}

function addConversions(program: Command) {
  program
    .command('convert-users')
    .addArgument(new Argument('<from>', 'the service that has exported the users').choices(userFormats))
    .argument('<file>', 'the exported file')
    .description("convert another service's export of users into lines for the import")
    .requiredOption('--output <file>', 'the file to write; an existing file is replaced')
    .option('--hash-config <file>', "only for firebase: file with the project's hash_config { … }")
    .option('--json', 'print the result as JSON')
    .action((from: UserFormat, file: string, options: ConversionOptions) =>
      perform(options, async () =>
        (await import('./commands/conversions/convert-users.ts')).convertUsers(from, file, options),
      ),
    )
}

function addBreachedPasswords(program: Command) {
  program
    .command('convert-breached-passwords')
    .argument('<file>', 'the list of Have I Been Pwned: SHA-1 hashes with their counts, in the order of the hashes')
    .description('convert a list of breached passwords into the file for BAILIWICK_BREACHED_PASSWORDS')
    .requiredOption('--output <file>', 'the file to write; an existing file is replaced')
    .option('--least <count>', 'leave out passwords that were seen fewer times', count, 1)
    .option('--json', 'print the result as JSON')
    .action((file: string, options: Common & BreachedOptions) =>
      perform(options, async (_config, tell) => {
        const { convertBreachedPasswords } = await import('./commands/conversions/convert-breached-passwords.ts')
        return convertBreachedPasswords(file, options, tell)
      }),
    )
}

function addBackups(program: Command) {
  program
    .command('backup')
    .argument('<folder>', 'an empty folder, or an earlier backup to update')
    .description('copy the database (SQLite) and the files, and check the copy')
    .option('--json', 'print the result as JSON')
    .action((folder: string, options: Common) =>
      perform(options, async (config, tell) => (await import('./commands/backup.ts')).backup(config, folder, tell)),
    )
  program
    .command('record-backup')
    .description('record that the database was backed up by another tool, for doctor and the metrics')
    .option('--json', 'print the result as JSON')
    .action((options: Common) =>
      perform(options, async (config) => (await import('./commands/record-backup.ts')).recordBackupCommand(config)),
    )
  program
    .command('restore')
    .argument('<folder>', 'the folder that backup has written')
    .description('restore a backup into an empty data directory')
    .option('--json', 'print the result as JSON')
    .action((folder: string, options: Common) =>
      perform(options, async (config, tell) => (await import('./commands/restore.ts')).restore(config, folder, tell)),
    )
}

function addKeys(program: Command) {
  program
    .command('rotate-master-key')
    .description('encrypt all secrets again with a new master key')
    .option('--json', 'print the result as JSON')
    .action((options: Common) =>
      perform(options, async (config, tell) =>
        (await import('./commands/rotate-master-key.ts')).rotateMasterKey(config, tell),
      ),
    )
}

/** Help stays text; what is wrong with the use becomes one line of JSON, as every other failure. */
function tellMisuseAsJson(program: Command) {
  for (const command of [program, ...program.commands.flatMap((each) => [each, ...each.commands])]) {
    command.showHelpAfterError(false).exitOverride()
    command.configureOutput({
      outputError: (text) => console.error(JSON.stringify({ error: text.trim().replace(/^error: /, '') })),
    })
  }
}

/** @param argv as `process.argv`. */
export async function run(argv: readonly string[]) {
  const program = new Command('bailiwick')
    .description('A multi-tenant identity service.')
    .version(packageJson.version)
    .showHelpAfterError()
    .exitOverride()
    .addHelpText(
      'after',
      '\nExit status: 0 success, 1 failure, 2 wrong usage, 3 the check found problems, 78 configuration error.',
    )
  addServiceCommands(program)
  addDistribute(program)
  addAppCommands(program)
  addChecks(program)
  addData(program)
  addTypes(program)
  addHooks(program)
  addPeople(program)
  addAdministration(program)
  addJobs(program)
  addMoves(program)
  addConversions(program)
  addBreachedPasswords(program)
  addBackups(program)
  addKeys(program)
  addCompletion(program)
  const given = withJsonOfNpm(argv, process.env)
  const isJson = given.includes('--json')
  if (isJson) tellMisuseAsJson(program)
  try {
    await program.parseAsync([...given])
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    process.exit(error.exitCode === 0 ? exitStatus.ok : exitStatus.usage)
  }
}
