import type { Organization as OrganizationRecord } from '@bailiwick/contract'
import { Link, useParams } from '@tanstack/react-router'
import { Suspense } from 'react'
import { DeleteSection } from '../../actions/delete-section.tsx'
import { useOperation } from '../../api/use-operation.ts'
import { OperationForm } from '../../form/operation-form.tsx'
import { lazyPart } from '../../parts/not-loaded.tsx'
import { Facts, Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { useTenantPath } from '../../session/tenant.tsx'
import { locale } from '../../texts/translate.ts'
import { Copyable } from '../../values/copy.tsx'
import { Time } from '../../values/time.tsx'
import { OrganizationDomains } from './organization-domains.tsx'
import { OrganizationGroups } from './organization-groups.tsx'
import { OrganizationInvitations } from './organization-invitations.tsx'
import { OrganizationMembers } from './organization-members.tsx'

/** Loaded separately: they are at the end of the page. */
const OrganizationSecurity = lazyPart(async () => (await import('./organization-security.tsx')).OrganizationSecurity)
const KeysOfOrganization = lazyPart(async () => (await import('../keys/user-api-keys.tsx')).KeysOfOrganization)
const OrganizationRoles = lazyPart(async () => (await import('./organization-roles.tsx')).OrganizationRoles)

export function Organization() {
  const { id = '' } = useParams({ strict: false }) as { readonly id?: string }
  return (
    <Query of={useOperation('getOrganization', { params: { id } })} what="organization">
      {(organization) => <Details organization={organization} />}
    </Query>
  )
}

function SignOnSection({ id }: { readonly id: string }) {
  const path = useTenantPath()
  return (
    <Section
      title="Single sign-on"
      about="Members can sign in with the identity provider of their company."
      actions={
        <Link className="button" to={path(`organizations/${id}/sign-on`)}>
          Open single sign-on
        </Link>
      }
    >
      {null}
    </Section>
  )
}

function Details({ organization }: { readonly organization: OrganizationRecord }) {
  const { id, name, slug, createdAt, _count } = organization
  return (
    <Page title={name} about={_count.members === 1 ? '1 member' : `${_count.members.toLocaleString(locale)} members`}>
      <Section title="Details">
        <Facts
          rows={[
            ['ID', <Copyable key="id" text={id} />],
            ['Slug', <code key="slug">{slug}</code>],
            ['Created', <Time key="time" at={createdAt} />],
          ]}
        />
        <OperationForm
          operation="updateOrganization"
          params={{ id }}
          record={organization}
          fields={[
            'name',
            'slug',
            { name: 'imageUri', label: 'Address of its picture' },
            'description',
            { name: 'publicMeta', label: 'Public data', hint: 'JSON that its members can see too.' },
            { name: 'privateMeta', label: 'Private data', hint: 'JSON that only your servers and the console see.' },
          ]}
          submit="Save"
          done="The organization is saved."
        />
      </Section>
      <OrganizationMembers organizationId={id} />
      <OrganizationGroups organizationId={id} />
      <OrganizationInvitations organizationId={id} />
      <OrganizationDomains organizationId={id} />
      <SignOnSection id={id} />
      <Suspense>
        <OrganizationRoles organizationId={id} />
        <OrganizationSecurity organizationId={id} />
        <KeysOfOrganization id={id} />
      </Suspense>
      <DeleteSection
        operation="deleteOrganization"
        input={{ params: { id } }}
        title="Delete this organization"
        about="Its memberships, invitations and domains are deleted too. The users remain."
        label="Delete organization"
        name={name}
        list="organizations"
      >
        {_count.members.toLocaleString(locale)} memberships end at once. This cannot be undone.
      </DeleteSection>
    </Page>
  )
}
