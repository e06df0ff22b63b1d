// Creates an app whose users sign in, in an empty folder: what `npx create-bailiwick-app` runs. If no service answers on this machine, it starts
// one for as long as it takes, and the app's script `dev` runs the service beside the app from then on.
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { CommandRefused, type Outcome } from '../../outcome.ts'
import { init } from '../init/init.ts'
import { type Framework, frameworks } from '../init/project.ts'
import { askText, choose, isTerminal } from '../terminal/ask.ts'
import { type LocalService, isAnswering, isLocal, startLocalService } from './local-service.ts'

export interface CreateOptions {
  readonly url: string
  readonly template?: Framework
  /** Where the app is opened, if not at the usual port of the template. */
  readonly appUrl?: string
  /** False for `--no-install`. */
  readonly install: boolean
}

const titles: Readonly<Record<Framework, string>> = {
  express: 'Express',
  next: 'Next.js',
  'vite-react': 'Vite and React',
}

async function chooseTemplate({ template }: CreateOptions): Promise<Framework> {
  if (template !== undefined) return template
  if (!isTerminal())
    throw new CommandRefused(`Choose the framework of the app with --template: ${frameworks.join(', ')}.`)
  const chosen = await choose(
    'Which framework?',
    frameworks.map((each) => titles[each]),
  )
  return frameworks.find((each) => titles[each] === chosen) ?? 'express'
}

async function chooseFolder(folder: string | undefined): Promise<string> {
  if (folder !== undefined) return folder
  if (!isTerminal()) throw new CommandRefused('Name the folder of the app, such as my-app.')
  return askText('What is the app called?', 'my-app')
}

/** Removes what a failure has left before the app was written, so that the next attempt finds the folder empty again. */
function tidy(root: string, isNew: boolean) {
  if (existsSync(join(root, 'package.json'))) return
  rmSync(isNew ? root : join(root, '.bailiwick'), { recursive: true, force: true })
}

interface Made {
  readonly folder: string
  readonly url: string
  readonly appUrl: string
  readonly run: string
  readonly ownsService: boolean
}

function nextSteps({ appUrl, folder, ownsService, run, url }: Made): string {
  const { origin } = new URL(url)
  return [
    `Users can sign in to the app in ${folder}. What to do next:`,
    `  1. cd ${folder}`,
    ownsService
      ? '  2. npm run dev   (runs Bailiwick, whose data is in .bailiwick/, and the app)'
      : `  2. ${run}   (while Bailiwick runs at ${origin})`,
    `  3. Open ${appUrl} and sign up. ${isLocal(url) ? `The code that is sent to you is in ${origin}/dev/inbox.` : ''}`.trimEnd(),
  ].join('\n')
}

/** @param folder the app's; asked for in a terminal if it is missing. */
export async function create(
  folder: string | undefined,
  options: CreateOptions,
  env: NodeJS.ProcessEnv,
): Promise<Outcome> {
  const { appUrl, install, url } = options
  const target = await chooseFolder(folder)
  const root = resolve(target)
  const isNew = !existsSync(root)
  // A repository may be there before its first file.
  if (!isNew && readdirSync(root).some((name) => name !== '.git')) {
    throw new CommandRefused(`${root} is not empty. \`npx bailiwick init\` adds sign-in to an existing app.`)
  }
  const framework = await chooseTemplate(options)
  const ownsService = isLocal(url) && !(await isAnswering(url))
  mkdirSync(root, { recursive: true })
  let service: LocalService | undefined
  try {
    service = ownsService ? await startLocalService(root, url, env, true) : undefined
    const name = basename(root)
    const { json } = await init(
      target,
      { url, framework, name, install, runsService: ownsService, ...(appUrl && { appUrl }) },
      env,
    )
    const made = json as Pick<Made, 'appUrl' | 'run'>
    return {
      text: nextSteps({ ...made, folder: target, url, ownsService }),
      json: { ...made, runsService: ownsService },
    }
  } finally {
    await service?.stop()
    tidy(root, isNew)
  }
}
