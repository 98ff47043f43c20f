-- Accounts that allow embedding; none does until its security administrator says so.
create table embedding_accounts (
  account_id text primary key references accounts on delete cascade,
  allowed_at timestamptz not null
);

-- Links that show a dashboard to everyone who has one. Their keys are nowhere else.
create table dashboard_embeds (
  embed_id uuid primary key,
  dashboard_id uuid not null references dashboards on delete cascade,
  account_id text not null references accounts on delete cascade,
  key_hash bytea not null,
  -- Websites whose pages can show it in a frame.
  origins text[] not null default '{}',
  -- Null: it does not expire.
  expires_at timestamptz,
  created_at timestamptz not null,
  -- To the minute.
  last_used_at timestamptz
);
create index dashboard_embeds_of_dashboard on dashboard_embeds (dashboard_id, created_at desc, embed_id);
create index dashboard_embeds_of_account on dashboard_embeds (account_id, created_at desc, embed_id);
