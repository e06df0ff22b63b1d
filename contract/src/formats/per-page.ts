export const perPageRule = 'must be a whole number from 1 to 100'

/** A query parameter: exactly the decimal digits, so that one page size has one spelling. */
export const isPerPage = (value: string): boolean => /^(?:[1-9]\d?|100)$/.test(value)
