// The DNS record that proves who owns a domain, with a button to copy each part of it.
import { Facts } from '../parts/page.tsx'
import { Badge } from './badge.tsx'
import { Copyable } from './copy.tsx'

interface ProvenDomain {
  readonly verified: boolean
  readonly verificationRecordType: string | null
  readonly verificationRecordDomain: string | null
  readonly verificationRecordValue: string | null
  readonly verificationRecordReason: string | null
}

export const DomainState = ({ verified }: Pick<ProvenDomain, 'verified'>) => (
  <Badge tone={verified ? 'good' : 'warning'}>{verified ? 'verified' : 'not verified'}</Badge>
)

export function DnsRecord({ domain }: { readonly domain: ProvenDomain }) {
  const { verificationRecordType: type, verificationRecordDomain: name, verificationRecordValue: value } = domain
  if (domain.verified || type === null || name === null || value === null) return null
  return (
    <div className="dns-record">
      <p>
        Add this record where the domain's DNS is managed, then check again. Changes of DNS can take an hour to be seen.
      </p>
      <Facts
        rows={[
          ['Type', <code key="type">{type}</code>],
          ['Name', <Copyable key="name" text={name} />],
          ['Value', <Copyable key="value" text={value} />],
        ]}
      />
      {domain.verificationRecordReason === null ? null : (
        <p className="field-problem">Last check: {domain.verificationRecordReason}</p>
      )}
    </div>
  )
}
