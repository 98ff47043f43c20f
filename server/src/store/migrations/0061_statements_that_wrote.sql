-- Months go whole, so that nobody looks for old statements by their time any more. An index of nothing but the time led
-- lists of one account through those of all others.
drop index statements_accepted_at;
create index statements_that_wrote on statements (accepted_at) include (account_id) where writes;
