-- How much text a statement handed over; result_bytes is the size of the file that is kept of it.

alter table statements add column shown_bytes bigint;
