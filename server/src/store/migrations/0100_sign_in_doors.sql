-- By which door somebody came in: people by the console, programs by those for programs.
alter table sign_ins add column door text not null default 'console';
