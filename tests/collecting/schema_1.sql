BEGIN TRANSACTION;
CREATE TABLE meta (
	"key" VARCHAR NOT NULL, 
	value TEXT NOT NULL, 
	PRIMARY KEY ("key")
);
INSERT INTO "meta" VALUES('asked','["probability", {"low": 0.0, "high": 1.0}]');
INSERT INTO "meta" VALUES('fingerprint','1ec34093263dad1a9486845af70e01f2');
INSERT INTO "meta" VALUES('dataset','hand');
INSERT INTO "meta" VALUES('secret','abababababababababababababababababababababababababababababababab');
INSERT INTO "meta" VALUES('began','1794825393.3477657');
CREATE TABLE pairs (
	id INTEGER NOT NULL, 
	item TEXT NOT NULL, 
	kind VARCHAR(10) NOT NULL, 
	premise TEXT NOT NULL, 
	hypothesis TEXT, 
	bundle INTEGER NOT NULL, 
	wanted INTEGER NOT NULL, 
	taken INTEGER NOT NULL, 
	agreed TEXT, 
	settled BOOLEAN NOT NULL, 
	PRIMARY KEY (id), 
	CONSTRAINT never_more_than_asked CHECK (kind <> 'work' OR (taken >= 0 AND taken <= wanted)), 
	UNIQUE (item)
);
INSERT INTO "pairs" VALUES(1,'hand/0/0','work','There are 0 cakes.','Someone ate 0 of 0 cakes.',0,3,2,NULL,0);
INSERT INTO "pairs" VALUES(2,'hand/0/1','work','There are 0 cakes.','Someone ate 1 of 0 cakes.',0,3,2,NULL,0);
INSERT INTO "pairs" VALUES(3,'hand/0/2','work','There are 0 cakes.','Someone ate 2 of 0 cakes.',0,3,2,NULL,0);
INSERT INTO "pairs" VALUES(4,'hand/0/3','work','There are 0 cakes.','Someone ate 3 of 0 cakes.',0,3,2,NULL,0);
INSERT INTO "pairs" VALUES(5,'hand/0/4','work','There are 0 cakes.','Someone ate 4 of 0 cakes.',0,3,2,NULL,0);
INSERT INTO "pairs" VALUES(6,'hand/1/0','work','There are 1 cakes.','Someone ate 0 of 1 cakes.',1,2,2,NULL,0);
INSERT INTO "pairs" VALUES(7,'hand/1/1','work','There are 1 cakes.','Someone ate 1 of 1 cakes.',1,2,2,NULL,0);
INSERT INTO "pairs" VALUES(8,'hand/1/2','work','There are 1 cakes.','Someone ate 2 of 1 cakes.',1,2,2,NULL,0);
INSERT INTO "pairs" VALUES(9,'hand/1/3','work','There are 1 cakes.','Someone ate 3 of 1 cakes.',1,2,2,NULL,0);
INSERT INTO "pairs" VALUES(10,'hand/1/4','work','There are 1 cakes.','Someone ate 4 of 1 cakes.',1,2,2,NULL,0);
INSERT INTO "pairs" VALUES(11,'attention/0','attention','Pay attention.','Move it to the right end.',0,0,0,NULL,0);
CREATE TABLE persons (
	id INTEGER NOT NULL, 
	outside TEXT, 
	arrived FLOAT NOT NULL, 
	consented FLOAT, 
	started FLOAT, 
	qualified BOOLEAN, 
	finished FLOAT, 
	excluded TEXT, 
	labels TEXT, 
	PRIMARY KEY (id), 
	UNIQUE (outside)
);
INSERT INTO "persons" VALUES(1,NULL,1000000.0,1000000.0,NULL,NULL,NULL,NULL,'[]');
INSERT INTO "persons" VALUES(2,NULL,1000000.0,1000000.0,NULL,NULL,NULL,NULL,'[]');
CREATE TABLE ratings (
	pair INTEGER NOT NULL, 
	person INTEGER NOT NULL, 
	page VARCHAR(40) NOT NULL, 
	position INTEGER NOT NULL, 
	state VARCHAR(10) NOT NULL, 
	shown FLOAT NOT NULL, 
	expires FLOAT NOT NULL, 
	at FLOAT, 
	seconds FLOAT, 
	value FLOAT, 
	label TEXT, 
	raw INTEGER, 
	fields TEXT, 
	fault TEXT, 
	draft TEXT, 
	PRIMARY KEY (pair, person), 
	FOREIGN KEY(pair) REFERENCES pairs (id), 
	FOREIGN KEY(person) REFERENCES persons (id)
);
INSERT INTO "ratings" VALUES(6,1,'page-1',0,'answered',1000000.0,1003600.0,1000000.0,0.0,9.99148688749996072289e-01,NULL,9990,NULL,NULL,NULL);
INSERT INTO "ratings" VALUES(7,1,'page-1',1,'answered',1000000.0,1003600.0,1000000.0,0.0,9.99148688749996072289e-01,NULL,9990,NULL,NULL,NULL);
INSERT INTO "ratings" VALUES(9,1,'page-1',2,'answered',1000000.0,1003600.0,1000000.0,0.0,9.99148688749996072289e-01,NULL,9990,NULL,NULL,NULL);
INSERT INTO "ratings" VALUES(10,1,'page-1',3,'answered',1000000.0,1003600.0,1000000.0,0.0,9.99148688749996072289e-01,NULL,9990,NULL,NULL,NULL);
INSERT INTO "ratings" VALUES(8,1,'page-1',4,'answered',1000000.0,1003600.0,1000000.0,0.0,9.99148688749996072289e-01,NULL,9990,NULL,NULL,NULL);
INSERT INTO "ratings" VALUES(11,1,'page-2',0,'answered',1000000.0,1003600.0,1000000.0,0.0,9.99148688749996072289e-01,NULL,9990,NULL,NULL,NULL);
INSERT INTO "ratings" VALUES(3,1,'page-2',1,'answered',1000000.0,1003600.0,1000000.0,0.0,9.99148688749996072289e-01,NULL,9990,NULL,NULL,NULL);
INSERT INTO "ratings" VALUES(5,1,'page-2',2,'answered',1000000.0,1003600.0,1000000.0,0.0,9.99148688749996072289e-01,NULL,9990,NULL,NULL,NULL);
INSERT INTO "ratings" VALUES(1,1,'page-2',3,'answered',1000000.0,1003600.0,1000000.0,0.0,9.99148688749996072289e-01,NULL,9990,NULL,NULL,NULL);
INSERT INTO "ratings" VALUES(2,1,'page-2',4,'answered',1000000.0,1003600.0,1000000.0,0.0,9.99148688749996072289e-01,NULL,9990,NULL,NULL,NULL);
INSERT INTO "ratings" VALUES(4,1,'page-2',5,'answered',1000000.0,1003600.0,1000000.0,0.0,9.99148688749996072289e-01,NULL,9990,NULL,NULL,NULL);
INSERT INTO "ratings" VALUES(5,2,'page-3',0,'answered',1000000.0,1003600.0,1000000.0,0.0,5.83827594717232e-06,NULL,1000,NULL,NULL,NULL);
INSERT INTO "ratings" VALUES(1,2,'page-3',1,'answered',1000000.0,1003600.0,1000000.0,0.0,5.83827594717232e-06,NULL,1000,NULL,NULL,NULL);
INSERT INTO "ratings" VALUES(3,2,'page-3',2,'answered',1000000.0,1003600.0,1000000.0,0.0,5.83827594717232e-06,NULL,1000,NULL,NULL,NULL);
INSERT INTO "ratings" VALUES(4,2,'page-3',3,'answered',1000000.0,1003600.0,1000000.0,0.0,5.83827594717232e-06,NULL,1000,NULL,NULL,NULL);
INSERT INTO "ratings" VALUES(2,2,'page-3',4,'answered',1000000.0,1003600.0,1000000.0,0.0,5.83827594717232e-06,NULL,1000,NULL,NULL,NULL);
INSERT INTO "ratings" VALUES(11,2,'page-4',0,'open',1000000.0,1003600.0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "ratings" VALUES(7,2,'page-4',1,'open',1000000.0,1003600.0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "ratings" VALUES(10,2,'page-4',2,'open',1000000.0,1003600.0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "ratings" VALUES(6,2,'page-4',3,'open',1000000.0,1003600.0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "ratings" VALUES(8,2,'page-4',4,'open',1000000.0,1003600.0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "ratings" VALUES(9,2,'page-4',5,'open',1000000.0,1003600.0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE statements (
	id INTEGER NOT NULL, 
	"key" VARCHAR(80) NOT NULL, 
	pair INTEGER NOT NULL, 
	person INTEGER NOT NULL, 
	label TEXT NOT NULL, 
	note TEXT NOT NULL, 
	at FLOAT NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE ("key"), 
	FOREIGN KEY(pair) REFERENCES pairs (id), 
	FOREIGN KEY(person) REFERENCES persons (id)
);
CREATE TABLE tests (
	person INTEGER NOT NULL, 
	attempt INTEGER NOT NULL, 
	passed BOOLEAN NOT NULL, 
	report TEXT NOT NULL, 
	answers TEXT NOT NULL, 
	at FLOAT NOT NULL, 
	PRIMARY KEY (person, attempt), 
	FOREIGN KEY(person) REFERENCES persons (id)
);
CREATE INDEX open_pairs ON pairs (bundle, id) WHERE kind = 'work' AND taken < wanted;
CREATE INDEX open_ratings ON ratings (expires) WHERE state = 'open';
CREATE INDEX ratings_of_page ON ratings (page);
CREATE INDEX ratings_of_person ON ratings (person, state);
CREATE INDEX ix_statements_pair ON statements (pair);
COMMIT;
