// The texts of the pages about organizations, and of the invitation to administer a tenant.
export const organizations = {}
