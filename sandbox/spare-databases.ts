import { readFileSync } from 'node:fs'
import pg from 'pg'
import { openEmbedded, type Embedded } from '#server/db/embedded.ts'

// Worlds of one process reuse an embedded database: restoring its rows takes a tenth of the time
// that starting another one does.

const spareDatabases: Embedded[] = []

/**
 * An embedded database with the rows of a file that `keepStock` was called with.
 * @returns also a function that gives it back
 */
export async function takeEmbedded(file: string): Promise<{ embedded: Embedded; giveBack(): Promise<void> }> {
  const embedded = spareDatabases.pop() ?? (await openEmbedded('memory://', new Blob([readFileSync(file)])))
  return {
    embedded,
    async giveBack() {
      await runStatements(embedded, ['rollback', 'discard all', RESTORE])
      spareDatabases.push(embedded)
    },
  }
}

/** Copies the rows of every table, to restore them later. */
export const keepStock = (pool: pg.Pool): Promise<unknown> => pool.query(SNAPSHOT)

async function runStatements(embedded: Embedded, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connection: embedded.connect() } as object)
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

const TABLES = `
  select format('%I.%I', nspname, relname) as name, format('stock.%I', nspname || '.' || relname) as kept,
    (select string_agg(quote_ident(attname), ', ') from pg_attribute
     where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns
  from pg_class join pg_namespace on pg_namespace.oid = relnamespace
  where relkind = 'r' and nspname in ('public', 'pgboss')`

const SNAPSHOT = `
  create schema stock;
  do $$ declare one record; filled boolean; begin
    for one in ${TABLES} loop
      execute 'select exists (select from ' || one.name || ')' into filled;
      if filled then execute 'create table ' || one.kept || ' as table ' || one.name; end if;
    end loop;
  end $$;
  create table stock.numbers as
    select format('%I.%I', schemaname, sequencename) as name, start_value, last_value from pg_sequences`

// Without the triggers, which forbid deleting rows.
const RESTORE = `
  begin;
  set local session_replication_role = replica;
  do $$ declare one record; filled boolean; begin
    for one in ${TABLES} loop
      execute 'select exists (select from ' || one.name || ')' into filled;
      if filled then execute 'delete from ' || one.name; end if;
      if to_regclass(one.kept) is not null then
        execute 'insert into ' || one.name || ' (' || one.columns || ') overriding system value select '
          || one.columns || ' from ' || one.kept;
      end if;
    end loop;
  end $$;
  select setval(name, coalesce(last_value, start_value), last_value is not null) from stock.numbers;
  commit`
