// The style of the inbox. The page belongs to the developer, so it uses the system's colours and not a tenant's.
export const inboxStyle = `
:root { color-scheme: light dark; --page: #f6f6f7; --card: #fff; --text: #18181b; --quiet: #5b5b64; --line: #dcdce1; --accent: #1d4ed8; --bad: #b42318;
  font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif }
@media (prefers-color-scheme: dark) { :root { --page: #111113; --card: #1b1b1e; --text: #f4f4f5; --quiet: #a1a1aa; --line: #37373d; --accent: #93b4ff; --bad: #ff9b8f } }
* { box-sizing: border-box }
body { max-width: 60rem; margin: 0 auto; padding: 1rem; background: var(--page); color: var(--text) }
a { color: var(--accent) }
h1 { font-size: 1.375rem; line-height: 1.3; margin: .5rem 0 1rem; overflow-wrap: anywhere }
h2 { font-size: 1rem; margin: 1.5rem 0 .5rem }
form { display: flex; gap: .5rem; margin: 0 0 1rem }
input { flex: 1; min-width: 0 }
input, button { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .5rem .75rem; min-height: 2.75rem }
button { cursor: pointer; font-weight: 500; white-space: nowrap }
button:hover { border-color: var(--accent) }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
ul { list-style: none; margin: 0; padding: 0; display: grid; grid-template-columns: minmax(0, 1fr); gap: .75rem }
li, .card { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: .875rem 1rem }
.row { display: flex; gap: .75rem; align-items: baseline; justify-content: space-between }
.row > :first-child { min-width: 0 }
.to { font-weight: 600 }
.line { white-space: nowrap; overflow: hidden; text-overflow: ellipsis }
.subject { display: block; margin: .125rem 0 }
time, .quiet { color: var(--quiet); font-size: .875rem }
time { white-space: nowrap }
.failed, .expired { color: var(--bad); font-weight: 500 }
.copy { display: flex; gap: .5rem; align-items: center; margin-top: .5rem }
.copy > :first-child { flex: 1; min-width: 0; background: var(--page); border: 1px solid var(--line); border-radius: .5rem; padding: .375rem .75rem; min-height: 2.75rem }
.code { font: 600 1.25rem/1.75rem ui-monospace, SFMono-Regular, Menlo, Consolas, monospace }
.code.short { letter-spacing: .15em }
.empty { text-align: center; padding: 3rem 1rem }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0; font: 14px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace }
iframe { display: block; width: 100%; height: 30rem; border: 1px solid var(--line); border-radius: .75rem; background: #fff }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: 1rem 0 } dt { color: var(--quiet) } dd { margin: 0; min-width: 0; overflow-wrap: anywhere }
footer { margin: 1.5rem 0 0 }
`

/**
 * The page's script: copies, fits frames to the height of their mail, shows local times, and reloads when there is something new. Frames
 * run no scripts; they have the same origin so that their height can be read.
 */
export const inboxScript = `
const time = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' })
const day = new Intl.DateTimeFormat(undefined, { weekday: 'short', day: 'numeric', month: 'short' })
for (const element of document.querySelectorAll('time')) {
  const at = new Date(element.dateTime)
  const isToday = at.toDateString() === new Date().toDateString()
  element.title = at.toLocaleString()
  element.textContent = (isToday ? '' : day.format(at) + ', ') + time.format(at)
}
for (const button of document.querySelectorAll('button[data-copy]')) {
  button.hidden = false
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.dataset.copy)
    button.textContent = 'Copied'
    setTimeout(() => { button.textContent = 'Copy' }, 1500)
  })
}
for (const frame of document.querySelectorAll('iframe')) {
  const fit = () => {
    const mail = frame.contentDocument
    if (mail === null || mail.body === null) return
    for (const link of mail.links) link.target = '_blank'
    frame.style.height = '0'
    frame.style.height = mail.documentElement.scrollHeight + 2 + 'px'
  }
  frame.addEventListener('load', fit)
  addEventListener('resize', fit)
  fit()
}
const { state, changes } = document.body.dataset
const look = async () => {
  if (document.hidden || document.activeElement instanceof HTMLInputElement) return
  const answer = await fetch(changes).catch(() => undefined)
  if (answer !== undefined && answer.ok && (await answer.text()) !== state) location.reload()
}
if (changes !== undefined) setInterval(look, 2000)
`
