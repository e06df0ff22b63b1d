export const perPageRule = 'must be a whole number from 1 to 100'

/** A query parameter in plain decimal digits, so that each page size has exactly one spelling. */
export const isPerPage = (value: string): boolean => /^(?:[1-9]\d?|100)$/.test(value)
