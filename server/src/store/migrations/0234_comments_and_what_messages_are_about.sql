-- What people say about a line of a saved query. It is gone with the query; answers are gone with the comment.
create table editor_comments (
  comment_id uuid primary key,
  tab_id uuid not null references editor_tabs on delete cascade,
  -- Null: it is about the line.
  reply_to uuid references editor_comments on delete cascade,
  -- Null: the user was removed. What others answered stays.
  user_id uuid references users on delete set null,
  -- As it was when this was written: the text has changed since, and is searched for the quote.
  line integer not null,
  quote text not null,
  text text not null,
  resolved boolean not null default false,
  created_at timestamptz not null
);
create index editor_comments_of_tab on editor_comments (tab_id, created_at, comment_id);
create index editor_comments_replies on editor_comments (reply_to);
create index editor_comments_of_user on editor_comments (user_id);

-- The name of what a message reports about, where its type says less than that; empty: it does not.
alter table messages add column about text not null default '';
