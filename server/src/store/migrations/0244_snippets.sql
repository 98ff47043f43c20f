-- Texts with fields that a user has given names, offered while they write. The name is a word of their own.
create table editor_snippets (
  snippet_id uuid primary key,
  user_id uuid not null references users on delete cascade,
  name text not null,
  text text not null
);
create unique index editor_snippets_of_user on editor_snippets (user_id, lower(name collate "C"));
