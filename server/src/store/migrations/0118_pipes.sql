-- Continuous loads: files that appear in a folder or below a prefix of a bucket, each loaded once.
create table pipes (
  pipe_id uuid primary key,
  account_id text not null references accounts on delete cascade,
  catalog_id text not null,
  database_name text not null,
  name text not null,
  -- By whose rights it loads. Named without being referred to: one whose user is gone is suspended, and says so.
  user_id uuid not null,
  user_name text not null,
  table_catalog_id text not null,
  table_database text not null,
  table_name text not null,
  -- The INSERT as it was written.
  statement text not null,
  -- Where the files are and how they are read.
  source jsonb not null,
  properties jsonb not null,
  state text not null check (state in ('running', 'suspended', 'finished', 'error')),
  -- Why it is suspended, where the service has done so.
  reason text not null,
  last_error text not null,
  next_poll_at timestamptz not null,
  listed_at timestamptz,
  -- Who runs it: one server at a time.
  lease_owner uuid,
  lease_until timestamptz,
  created_at timestamptz not null
);
create unique index pipes_name
  on pipes (account_id, lower(catalog_id collate "C"), lower(database_name collate "C"), lower(name collate "C"));
create index pipes_due on pipes (next_poll_at) where state = 'running';

-- Every file that a pipe has seen, for as long as the pipe is there: what is forgotten would be loaded again.
create table pipe_files (
  file_id uuid primary key,
  pipe_id uuid not null references pipes on delete cascade,
  path text not null,
  -- Another one when its content is: the etag of an object, size and time of a file.
  version text not null,
  size_bytes bigint not null,
  changed_at timestamptz not null,
  state text not null check (state in ('waiting', 'loading', 'loaded', 'failed', 'skipped')),
  -- Under which it is loaded: stream load takes a label once.
  label text not null,
  -- Of its bytes, once they were read: the same file under another name is not loaded again.
  content_hash text,
  -- Loaded although the same content was loaded before: somebody has asked for it.
  is_forced boolean not null,
  attempts int not null,
  retry_at timestamptz not null,
  error text not null,
  rows_loaded bigint,
  rows_rejected bigint not null,
  query_id text,
  seen_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz
);
create unique index pipe_files_version on pipe_files (pipe_id, path, version);
create unique index pipe_files_content on pipe_files (pipe_id, content_hash)
  where content_hash is not null and state in ('loading', 'loaded');
create index pipe_files_open on pipe_files (pipe_id, changed_at, file_id) where state in ('waiting', 'loading');
create index pipe_files_state on pipe_files (pipe_id, state);
create index pipe_files_seen on pipe_files (pipe_id, seen_at desc, file_id desc);
create index pipe_files_loading on pipe_files (label) where state = 'loading';
