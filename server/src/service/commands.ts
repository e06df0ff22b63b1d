// The commands use the same code paths as the service. What a command needs is loaded when it runs.
import { Argument, Command, CommanderError, InvalidArgumentError } from 'commander'
import type { AdministratorOptions } from './commands/create-administrator.ts'
import { type UserFormat, userFormats } from './commands/user-formats/names.ts'
import { type Common, fail } from './commands/failure.ts'
import { type Outcome, exitStatus } from './outcome.ts'
import { runService } from './commands/run-service.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { type Config, readConfig } from '../platform/config.ts'

/**
 * npm takes `--json` for itself in `npm run bailiwick doctor --json`, and leaves a variable behind. Whoever asked for JSON gets it.
 */
function withJsonOfNpm(argv: readonly string[], env: NodeJS.ProcessEnv): readonly string[] {
  const isTaken = env['npm_lifecycle_event'] === 'bailiwick' && env['npm_config_json'] === 'true'
  return isTaken && argv.length > 2 && argv[2] !== 'start' && !argv.includes('--json') ? [...argv, '--json'] : argv
}

/** Runs a command to its end and tells what came out. */
async function perform(options: Common, command: (config: Config) => Promise<Outcome>) {
  try {
    const { text, json, status } = await command(readConfig(process.env))
    console.log(options.json === true ? JSON.stringify(json) : text)
    process.exitCode = status ?? exitStatus.ok
  } catch (error) {
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
    .description('bring the database schema up to date')
    .option('--json', 'print the result as JSON')
    .action((options: Common) =>
      perform(options, async (config) => (await import('./commands/migrate.ts')).migrate(config)),
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
    .argument('[tenant]', 'id or slug; all tenants unless given')
    .description('check the event log for what was changed, removed or inserted')
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
    .description('make tenants with users and organizations to try things out with')
    .option('--tenants <number>', 'how many tenants', count, 2)
    .option('--users <number>', 'how many users in each', count, 20)
    .option('--force', 'in production too')
    .option('--json', 'print the result as JSON')
    .action((options: SeedOptions) =>
      perform(options, async (config) => (await import('./commands/seed.ts')).seed(config, options)),
    )
}

function addPeople(program: Command) {
  program
    .command('create-administrator')
    .description(
      'make an account at the console, and a tenant or rights in one; the password is read from standard input',
    )
    .requiredOption('--email <address>', 'of the person; an account that is there already is taken')
    .option('--name <name>', 'of the person')
    .option('--tenant <tenant>', 'id or slug of a tenant that the person administers from now on')
    .option('--new-tenant <name>', 'a tenant to make, which the person administers')
    .option('--json', 'print the result as JSON')
    .action((options: Common & AdministratorOptions) =>
      perform(options, async (config) =>
        (await import('./commands/create-administrator.ts')).createAdministrator(config, options),
      ),
    )
}

interface PassphraseOptions extends Common {
  readonly passphraseFile?: string
}

function addMoves(program: Command) {
  program
    .command('export')
    .argument('<tenant>', 'id or slug')
    .description('write one tenant into an encrypted file')
    .requiredOption('--output <file>', 'the file; replaced where it exists')
    .option('--passphrase-file <file>', 'what the file is encrypted with; otherwise BAILIWICK_EXPORT_PASSPHRASE')
    .option('--json', 'print the result as JSON')
    .action((tenant: string, options: PassphraseOptions & { readonly output: string }) =>
      perform(options, async (config) => (await import('./commands/export.ts')).exportCommand(config, tenant, options)),
    )
  program
    .command('import')
    .argument('<file>', 'what export has written')
    .description('restore a tenant from its file')
    .option('--dry-run', 'check the whole file and what stands in its way, and write nothing')
    .option('--passphrase-file <file>', 'what the file was encrypted with; otherwise BAILIWICK_EXPORT_PASSPHRASE')
    .option('--json', 'print the result as JSON')
    .action((file: string, options: PassphraseOptions & { readonly dryRun?: true }) =>
      perform(options, async (config) => (await import('./commands/import.ts')).importCommand(config, file, options)),
    )
}

interface ConversionOptions extends Common {
  readonly output: string
  readonly hashConfig?: string
}

function addConversions(program: Command) {
  program
    .command('convert-users')
    .addArgument(new Argument('<from>', 'the service that has exported them').choices(userFormats))
    .argument('<file>', 'its export')
    .description("make the lines of an import out of another service's export of users")
    .requiredOption('--output <file>', 'where the lines are written; replaced where it exists')
    .option('--hash-config <file>', "with firebase: the project's hash_config { … }")
    .option('--json', 'print the result as JSON')
    .action((from: UserFormat, file: string, options: ConversionOptions) =>
      perform(options, async () => (await import('./commands/convert-users.ts')).convertUsers(from, file, options)),
    )
}

function addBackups(program: Command) {
  program
    .command('backup')
    .argument('<folder>', 'an empty folder, or an earlier backup, which is brought up to date')
    .description('copy the database (SQLite) and the files, and check the copy')
    .option('--json', 'print the result as JSON')
    .action((folder: string, options: Common) =>
      perform(options, async (config) => (await import('./commands/backup.ts')).backup(config, folder)),
    )
  program
    .command('record-backup')
    .description('record that the database was just backed up by other means, for doctor and the metrics')
    .option('--json', 'print the result as JSON')
    .action((options: Common) =>
      perform(options, async (config) => (await import('./commands/record-backup.ts')).recordBackupCommand(config)),
    )
  program
    .command('restore')
    .argument('<folder>', 'what backup has written')
    .description('put a backup into an empty data directory')
    .option('--json', 'print the result as JSON')
    .action((folder: string, options: Common) =>
      perform(options, async (config) => (await import('./commands/restore.ts')).restore(config, folder)),
    )
}

function addKeys(program: Command) {
  program
    .command('rotate-master-key')
    .description('seal everything anew under another master key')
    .option('--json', 'print the result as JSON')
    .action((options: Common) =>
      perform(options, async (config) => (await import('./commands/rotate-master-key.ts')).rotateMasterKey(config)),
    )
}

/** Help stays text; what is wrong with the use becomes one line of JSON, as every other failure. */
function tellMisuseAsJson(program: Command) {
  for (const command of [program, ...program.commands]) {
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
    .addHelpText('after', '\nExit status: 0 done, 1 failed, 2 wrong use, 3 the check found problems, 78 configuration.')
  addServiceCommands(program)
  addChecks(program)
  addData(program)
  addPeople(program)
  addMoves(program)
  addConversions(program)
  addBackups(program)
  addKeys(program)
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
