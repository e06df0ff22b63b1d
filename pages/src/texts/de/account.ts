// The texts of the account page.
export const account = {}
