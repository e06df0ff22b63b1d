import { useParams } from '@tanstack/react-router'
import { ConfirmAction } from '../../actions/confirm-action.tsx'
import { DeleteSection } from '../../actions/delete-section.tsx'
import type { AnswerOf } from '../../api/operations.ts'
import { useOperation } from '../../api/use-operation.ts'
import { OperationForm } from '../../form/operation-form.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { useOrganizationRoles } from '../../session/role-options.ts'
import { Time } from '../../values/time.tsx'
import { Until } from '../../values/until.tsx'
import { AddingSection } from './adding-section.tsx'
import { Paged } from './paged.tsx'

type Group = AnswerOf<'getOrganizationGroup'>

export function OrganizationGroup() {
  const { id = '', groupId = '' } = useParams({ strict: false }) as { readonly id?: string; readonly groupId?: string }
  const group = useOperation('getOrganizationGroup', { params: { organizationId: id, id: groupId } })
  return (
    <Query of={group} what="group">
      {(found) => <Details group={found} />}
    </Query>
  )
}

/** The members, and a button that removes each unless a directory decides who is in the group. */
function MemberTable({ group: { organizationId, id, scimGroupId } }: { readonly group: Group }) {
  const params = { organizationId, id }
  return (
    <Paged
      operation="listMembersOfGroup"
      input={{ params }}
      label="Members"
      keyOf={(member) => member.id}
      empty="This group has no members yet."
      columns={[
        {
          title: 'Name',
          cell: ({ user, groupExpiresAt }) => (
            <>
              {user.name} <Until what="Member" at={groupExpiresAt} />
            </>
          ),
        },
        { title: 'Member since', cell: ({ createdAt }) => <Time at={createdAt} /> },
        {
          title: 'Actions',
          cell: (member) =>
            scimGroupId === null ? (
              <ConfirmAction
                operation="removeMemberFromGroup"
                input={{ params: { ...params, memberId: member.id } }}
                label="Remove"
              >
                {member.user.name} stays a member of the organization, without the role of this group.
              </ConfirmAction>
            ) : null,
        },
      ]}
    />
  )
}

function AddMember({ group, close }: { readonly group: Group; readonly close: () => void }) {
  const { organizationId, id } = group
  // Members are offered by name; those of larger organizations are added by their id.
  const members = useOperation('listOrganizationMembers', { params: { organizationId }, query: { perPage: '100' } })
  const options = (members.data?.data ?? []).map((member) => ({ value: member.id, label: member.user.name }))
  const isWhole = members.data !== undefined && members.data.meta.total <= options.length
  const byId = {
    name: 'memberId',
    label: 'Member ID',
    hint: 'The id of the membership, as the API returns it.',
  } as const
  return (
    <OperationForm
      operation="addMemberToGroup"
      params={{ organizationId, id }}
      fields={[
        isWhole ? { name: 'memberId', label: 'Member', options } : byId,
        {
          name: 'expiresAt',
          label: 'Leaves the group',
          hint: 'Leave empty for no end. Add a member again to change it.',
          isTime: true,
        },
      ]}
      submit="Add member"
      done="The member is added."
      onDone={close}
      onCancel={close}
    />
  )
}

const Members = ({ group }: { readonly group: Group }) =>
  group.scimGroupId === null ? (
    <AddingSection
      title="Members"
      operation="addMemberToGroup"
      label="Add a member"
      form={(close) => <AddMember group={group} close={close} />}
    >
      <MemberTable group={group} />
    </AddingSection>
  ) : (
    <Section title="Members" about="The directory of the organization decides which members are in this group.">
      <MemberTable group={group} />
    </Section>
  )

function Details({ group }: { readonly group: Group }) {
  const { organizationId, id, name } = group
  const roles = useOrganizationRoles(organizationId)
  const params = { organizationId, id }
  return (
    <Page title={name} about="A group of an organization">
      <Section title="Details">
        <OperationForm
          operation="updateOrganizationGroup"
          params={params}
          record={group}
          fields={[
            'name',
            'description',
            { name: 'roleId', label: 'Role', options: roles },
            {
              name: 'scimGroupId',
              label: 'Group of the directory',
              hint: 'The id of a group that the directory of the organization provisions. Its active members are the members then.',
            },
          ]}
          submit="Save"
          done="The group is saved."
        />
      </Section>
      <Members group={group} />
      <DeleteSection
        operation="deleteOrganizationGroup"
        input={{ params }}
        title="Delete this group"
        about="Its members stay in the organization."
        label="Delete group"
        list={`organizations/${organizationId}`}
      >
        The members of {name} lose its role at once.
      </DeleteSection>
    </Page>
  )
}
