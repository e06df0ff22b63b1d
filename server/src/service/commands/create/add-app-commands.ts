import { type Command, Option } from 'commander'
import { type Common, fail } from '../failure.ts'
import type { InitOptions } from '../init/init.ts'
import { frameworks } from '../init/project.ts'
import type { CreateOptions } from './create.ts'

function addInit(program: Command) {
  program
    .command('init')
    .argument('[folder]', 'the folder of the app; created if it does not exist', '.')
    .description('add sign-in to an Express, Next.js or Vite app with React, or create a new one')
    .option('--url <address>', 'the address of the service', 'http://127.0.0.1:4000')
    .addOption(
      new Option('--framework <framework>', 'framework of a new app; that of an existing one is detected').choices(
        frameworks,
      ),
    )
    .option('--tenant <tenant>', 'id or slug of an existing tenant')
    .option('--name <name>', 'name of the new tenant; default: that of the app')
    .option('--app-url <address>', 'where the app is opened; default: localhost, with the port that its files name')
    .option('--dry-run', 'only print what would change')
    .option('--force', 'replace files with changes that are not committed')
    .option('--no-install', 'do not install the packages')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      '\nBAILIWICK_SECRET_KEY (of a tenant) or BAILIWICK_OPERATOR_KEY is the credential; a development deployment on this machine needs none.',
    )
    .action(async (folder: string, options: Common & InitOptions) => {
      try {
        const { text, json } = await (await import('../init/init.ts')).init(folder, options, process.env)
        process.stdout.write(`${options.json === true ? JSON.stringify(json) : text}\n`)
      } catch (error) {
        fail(error, options)
      }
    })
}

function addCreate(program: Command) {
  program
    .command('create')
    .argument('[folder]', 'the folder of the app, which is empty or does not exist yet; asked for in a terminal')
    .description('create an app whose users sign in, with a service for it if none runs on this machine')
    .addOption(new Option('--template <template>', 'framework of the app; asked for in a terminal').choices(frameworks))
    .option('--url <address>', 'the address of the service', 'http://127.0.0.1:4000')
    .option('--app-url <address>', "where the app is opened; default: localhost, with the template's usual port")
    .option('--no-install', 'do not install the packages')
    .option('--json', 'print the result as JSON')
    .action(async (folder: string | undefined, options: Common & CreateOptions) => {
      try {
        const { text, json } = await (await import('./create.ts')).create(folder, options, process.env)
        process.stdout.write(`${options.json === true ? JSON.stringify(json) : text}\n`)
      } catch (error) {
        fail(error, options)
      }
    })
}

function addDev(program: Command) {
  program
    .command('dev')
    .argument('<command...>', 'the program that runs the app, with its arguments, after --')
    .description('run an app for development, with the service beside it unless one answers: bailiwick dev -- vite')
    .action(async (command: readonly string[]) => {
      try {
        process.exitCode = await (await import('./dev.ts')).dev(command, process.env)
      } catch (error) {
        fail(error, {})
      }
    })
}

/** Adds what the developer of an app runs: none of it reads the configuration of a deployment. */
export function addAppCommands(program: Command) {
  addInit(program)
  addCreate(program)
  addDev(program)
}
