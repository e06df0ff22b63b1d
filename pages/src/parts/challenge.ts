// A form that sends the answer to a puzzle. Its script is loaded by such pages alone; without it the form is sent without an answer, and a code
// by mail takes its place.
import { type Html, html } from '../html.ts'

export interface PageChallenge {
  readonly script: string
  /** Where the script gets the puzzle. */
  readonly address: string
}

/** What makes a form one that sends an answer. */
export const challengeField = (challenge: PageChallenge | undefined) =>
  challenge === undefined ? undefined : { challenge: '' }

export const challengeData = (challenge: PageChallenge | undefined): Readonly<Record<string, string>> =>
  challenge === undefined ? {} : { challenge: challenge.address }

export const challengeScript = (challenge: PageChallenge | undefined): Html | false =>
  challenge !== undefined && html`<script type="module" src="${challenge.script}"></script>`
