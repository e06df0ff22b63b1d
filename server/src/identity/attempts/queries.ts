// Attempts to sign in and to sign up: two tables, the second with what is still asked for.
import type { SignInStatus, SignInStrategy, SignUpStatus } from '@bailiwick/contract'
import type { Timestamp } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { type Fragment, type Statement, sql } from '../../platform/db/sql.ts'
import type { SignInAttemptId, SignUpAttemptId, TenantId, UserId } from '../../platform/ids.ts'

interface AttemptRow {
  readonly tenant_id: TenantId
  readonly user_id: UserId | null
  readonly identifier: string | null
  readonly strategy: SignInStrategy | null
  /** Lists are JSON. */
  readonly supported_first_factors: string
  readonly supported_second_factors: string
  readonly oauth_provider_id: string | null
  readonly redirect_uri: string | null
  readonly expires_at: Timestamp
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
}

export interface SignInAttemptRow extends AttemptRow {
  readonly id: SignInAttemptId
  readonly status: SignInStatus
}

export interface SignUpAttemptRow extends AttemptRow {
  readonly id: SignUpAttemptId
  readonly status: SignUpStatus
  readonly required_fields: string
  readonly missing_fields: string
  readonly required_verifications: string
  readonly missing_verifications: string
}

export const signInNames = [
  'tenant_id',
  'id',
  'user_id',
  'identifier',
  'status',
  'strategy',
  'supported_first_factors',
  'supported_second_factors',
  'oauth_provider_id',
  'redirect_uri',
  'expires_at',
  'created_at',
  'updated_at',
] as const
const signUpNames = [
  ...signInNames,
  'required_fields',
  'missing_fields',
  'required_verifications',
  'missing_verifications',
] as const

export type AttemptTable = 'sign_in_attempts' | 'sign_up_attempts'

const columnsOf: Readonly<Record<AttemptTable, Fragment>> = {
  sign_in_attempts: sql.join(
    signInNames.map((name) => sql.identifier(name)),
    ', ',
  ),
  sign_up_attempts: sql.join(
    signUpNames.map((name) => sql.identifier(name)),
    ', ',
  ),
}

export const insertSignUpAttempt = (row: SignUpAttemptRow): Statement =>
  sql`INSERT INTO sign_up_attempts (${columnsOf.sign_up_attempts}) ${sql.values([signUpNames.map((name) => row[name])])}`

export const attemptSource = (table: AttemptTable, tenantId: TenantId) => ({
  columns: columnsOf[table],
  table: sql.identifier(table),
  where: sql`tenant_id = ${tenantId}`,
})

export const selectAttempt = <Row extends object>(db: Reader, table: AttemptTable, tenantId: TenantId, id: string) =>
  db.first<Row>(
    sql`SELECT ${columnsOf[table]} FROM ${sql.identifier(table)} WHERE tenant_id = ${tenantId} AND id = ${id}`,
  )

/** All of one user that are kept, in the order of their ids. */
export const selectAttemptsOfUser = <Row extends object>(
  db: Reader,
  table: AttemptTable,
  tenantId: TenantId,
  userId: UserId,
  after: string,
  limit: number,
) =>
  db.all<Row>(sql`SELECT ${columnsOf[table]} FROM ${sql.identifier(table)}
    WHERE tenant_id = ${tenantId} AND user_id = ${userId} AND id > ${after} ORDER BY id LIMIT ${limit}`)

export const deleteAttempt = (table: AttemptTable, tenantId: TenantId, id: string): Statement =>
  sql`DELETE FROM ${sql.identifier(table)} WHERE tenant_id = ${tenantId} AND id = ${id}`

export const deleteAttemptsOfUser = (table: AttemptTable, tenantId: TenantId, userId: UserId): Statement =>
  sql`DELETE FROM ${sql.identifier(table)} WHERE tenant_id = ${tenantId} AND user_id = ${userId}`

/** Of any tenant, for the clean-up. */
export const selectOldAttempts = (db: Reader, table: AttemptTable, before: Timestamp, limit: number) =>
  db.all<{ tenant_id: TenantId; id: string }>(sql`SELECT tenant_id, id FROM ${sql.identifier(table)}
    WHERE created_at < ${before} ORDER BY created_at LIMIT ${limit}`)

/** Of any tenant: the different addresses that the newest attempts named. */
export const selectRecentRedirects = (db: Reader, table: AttemptTable, limit: number) =>
  db.all<{ tenant_id: TenantId; redirect_uri: string }>(sql`SELECT DISTINCT tenant_id, redirect_uri FROM
    (SELECT tenant_id, redirect_uri FROM ${sql.identifier(table)} ORDER BY created_at DESC LIMIT ${limit}) AS newest
    WHERE redirect_uri IS NOT NULL LIMIT ${limit}`)

export const deleteAttempts = (table: AttemptTable, tenantId: TenantId, ids: readonly string[]): Statement =>
  sql`DELETE FROM ${sql.identifier(table)} WHERE tenant_id = ${tenantId} AND id IN (${sql.join(
    ids.map((id) => sql`${id}`),
    ', ',
  )})`
