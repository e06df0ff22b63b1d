// Where a large download goes while it arrives: to the disk, so that the tab does not hold it in memory. Browsers that let a page write to a
// file that the user chooses do so (Chromium); others write to the origin's private files, from which the finished file is saved
// (https://fs.spec.whatwg.org/). Where a page may do neither, such as over plain http, the browser keeps parts of the file.

export interface DownloadTarget {
  readonly write: (bytes: Uint8Array<ArrayBuffer>) => Promise<void>
  /** Completes the file and gives it to the user. */
  readonly save: () => Promise<void>
  /** Removes what has been written. */
  readonly discard: () => Promise<void>
}

/** Not in TypeScript's library yet: https://wicg.github.io/file-system-access/ */
type FilePicker = (options: { readonly suggestedName: string }) => Promise<FileSystemFileHandle>

const type = 'application/octet-stream'

async function toChosenFile(pick: FilePicker, name: string): Promise<DownloadTarget> {
  const file = await (await pick({ suggestedName: name })).createWritable()
  // Until it is closed, the chosen file stays as it was.
  return { write: (bytes) => file.write(bytes), save: () => file.close(), discard: () => file.abort() }
}

const folderName = 'downloads'
/** The browser copies a finished file after `save`, and does not say when it has. */
const keptMs = 60 * 60 * 1000

async function removeOld(folder: FileSystemDirectoryHandle) {
  for await (const handle of folder.values()) {
    if (handle.kind !== 'file') continue
    const { lastModified } = await handle.getFile()
    // One that another tab is writing cannot be removed, and need not be.
    if (lastModified < Date.now() - keptMs) await folder.removeEntry(handle.name).catch(() => undefined)
  }
}

async function toPrivateFile(name: string): Promise<DownloadTarget> {
  const root = await navigator.storage.getDirectory()
  const folder = await root.getDirectoryHandle(folderName, { create: true })
  await removeOld(folder)
  const own = crypto.randomUUID()
  const handle = await folder.getFileHandle(own, { create: true })
  const file = await handle.createWritable()
  const remove = () => folder.removeEntry(own).catch(() => undefined)
  return {
    write: (bytes) => file.write(bytes),
    save: async () => {
      await file.close()
      saveFile(await handle.getFile(), name)
      setTimeout(() => void remove(), keptMs)
    },
    discard: async () => {
      await file.abort()
      await remove()
    },
  }
}

/** Joined into parts of this size, which the browser may put on its disk. */
const partBytes = 16 * 1024 * 1024

function toParts(name: string): DownloadTarget {
  let parts: Blob[] = []
  let chunks: Uint8Array<ArrayBuffer>[] = []
  let held = 0
  return {
    write: async (bytes) => {
      chunks.push(bytes)
      held += bytes.length
      if (held < partBytes) return
      parts.push(new Blob(chunks))
      chunks = []
      held = 0
    },
    save: async () => saveFile(new Blob([...parts, ...chunks], { type }), name),
    discard: async () => {
      parts = []
      chunks = []
    },
  }
}

/**
 * Opens the target of a download. Must be called at once when somebody presses a button: browsers ask for a file only then.
 * @throws DOMException AbortError if the user chooses no file
 */
export async function openDownload(name: string): Promise<DownloadTarget> {
  const { showSaveFilePicker: pick } = window as { readonly showSaveFilePicker?: FilePicker }
  if (pick !== undefined) return toChosenFile(pick, name)
  const isWritable = 'createWritable' in (globalThis.FileSystemFileHandle?.prototype ?? {})
  return isWritable && 'storage' in navigator ? toPrivateFile(name) : toParts(name)
}

/** Lets the browser save a file. */
export function saveFile(blob: Blob, name: string) {
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
