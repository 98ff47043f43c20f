-- Mails are delivered account by account in turn: one that has very many waiting does not hold up the others.
create index mails_waiting_by_account on mails (coalesce(account_id, ''), next_attempt_at) where state = 'waiting';
