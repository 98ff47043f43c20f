-- Closed connections are deleted after a while, found by an index: a batch never scans the table.

create index connections_closed on connections (closed_at) where closed_at is not null;
