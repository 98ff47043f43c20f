-- Who made an account. `creator` is its first administrator, whose privileges the specification ties to that name; an
-- account of an organisation is made by somebody of the root account, or by the operator. Null: the administrator made it.

alter table accounts
  add column created_by text,
  -- Null for the operator.
  add column created_by_id uuid;

update accounts
  set created_by = case author.kind when 'operator' then 'The operator of the service' else author.name end,
      created_by_id = author.user_id
  from (
    select account_id,
      entry::jsonb -> 'by' ->> 'kind' as kind,
      entry::jsonb -> 'by' ->> 'name' as name,
      (entry::jsonb -> 'by' ->> 'userId')::uuid as user_id
    from audit_entries where action = 'account.open'
  ) author
  where author.account_id = accounts.account_id
    and (author.kind = 'operator' or author.user_id is not null);
