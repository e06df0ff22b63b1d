// A durable store for oidc-provider: a row for each of its models, in one table of PostgreSQL, found by the indexes that its interface of
// adapters asks for. Everything is committed before it is acknowledged; statements are prepared once on each connection.
import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider'
import { Pool } from 'pg'

/** As many connections as the service opens by default. */
const poolSize = 10

const schema = `CREATE TABLE oidc_models (
    model text NOT NULL, id text NOT NULL, payload jsonb NOT NULL, grant_id text, user_code text, uid text,
    expires_at timestamptz, consumed_at timestamptz, PRIMARY KEY (model, id));
  CREATE INDEX oidc_models_grant ON oidc_models (grant_id) WHERE grant_id IS NOT NULL;
  CREATE INDEX oidc_models_user_code ON oidc_models (user_code) WHERE user_code IS NOT NULL;
  CREATE INDEX oidc_models_uid ON oidc_models (uid) WHERE uid IS NOT NULL`

interface Row {
  readonly payload: AdapterPayload
  readonly consumed_at: Date | null
}

class PostgresqlAdapter implements Adapter {
  readonly #pool: Pool
  readonly #model: string

  constructor(pool: Pool, model: string) {
    this.#pool = pool
    this.#model = model
  }

  async upsert(id: string, payload: AdapterPayload, expiresIn?: number): Promise<void> {
    const { grantId = null, userCode = null, uid = null } = payload
    const expiresAt = expiresIn === undefined ? null : new Date(Date.now() + expiresIn * 1000)
    await this.#run(
      'upsert',
      `INSERT INTO oidc_models (model, id, payload, grant_id, user_code, uid, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (model, id) DO UPDATE SET payload = excluded.payload, grant_id = excluded.grant_id,
         user_code = excluded.user_code, uid = excluded.uid, expires_at = excluded.expires_at`,
      [id, JSON.stringify(payload), grantId, userCode, uid, expiresAt],
    )
  }

  find(id: string) {
    return this.#find('id', id)
  }

  findByUserCode(userCode: string) {
    return this.#find('user_code', userCode)
  }

  findByUid(uid: string) {
    return this.#find('uid', uid)
  }

  async consume(id: string): Promise<void> {
    await this.#run('consume', 'UPDATE oidc_models SET consumed_at = now() WHERE model = $1 AND id = $2', [id])
  }

  async destroy(id: string): Promise<void> {
    await this.#run('destroy', 'DELETE FROM oidc_models WHERE model = $1 AND id = $2', [id])
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.#run('revoke', 'DELETE FROM oidc_models WHERE model = $1 AND grant_id = $2', [grantId])
  }

  async #find(column: 'id' | 'uid' | 'user_code', value: string): Promise<AdapterPayload | undefined> {
    const [row] = await this.#run(
      `find_${column}`,
      `SELECT payload, consumed_at FROM oidc_models
       WHERE model = $1 AND ${column} = $2 AND (expires_at IS NULL OR expires_at > now())`,
      [value],
    )
    if (row === undefined) return undefined
    return row.consumed_at === null ? row.payload : { ...row.payload, consumed: true }
  }

  async #run(name: string, text: string, values: readonly unknown[]): Promise<Row[]> {
    const { rows } = await this.#pool.query<Row>({ name, text, values: [this.#model, ...values] })
    return rows
  }
}

/** Creates the table in a database of its own, and returns what makes an adapter for each model. */
export async function openPostgresqlStore(databaseUrl: string): Promise<AdapterFactory> {
  const pool = new Pool({ connectionString: databaseUrl, max: poolSize })
  await pool.query(schema)
  return (model) => new PostgresqlAdapter(pool, model)
}
