// Compares misspelt names. The library takes 0.3 MB as soon as it is loaded, and is needed only to say what somebody may have meant.
import type * as levenshteinModule from 'fastest-levenshtein'
import { loadLater } from './load-later.ts'

export const levenshtein = loadLater<typeof levenshteinModule>('fastest-levenshtein')
