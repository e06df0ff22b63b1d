// What the builds that come with the service have in common when they are sent: the console and the documentation.
import { extname } from 'node:path'

const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

/** Returns the media type of a file by its name; undefined for one that no build makes. */
export const findContentType = (name: string): string | undefined => contentTypes[extname(name)]

/** For files whose names are derived from their content. */
export const keptForEver = 'public, max-age=31536000, immutable'
